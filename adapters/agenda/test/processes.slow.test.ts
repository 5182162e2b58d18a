import { AgendaJobQueue } from '@palimpsest/agenda';
import type { JobOutcome, JobWorker } from '@palimpsest/core';
import { expect } from 'chai';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { startChild, type Child } from '../../../test/processes/child-process.ts';
import { mongoJobs, sqliteJobs, type JobDatabase } from './job-stores.ts';
import { eventually } from '../../../test/expectations.ts';

// On a busy machine, a renewal of a lock may take seconds.
const LONG_LOCKS_MS = 60_000;
const SHORT_LOCKS_MS = 1_200;
const LIMIT_MS = 60_000;

const rethrow = (error: unknown) => {
  throw error;
};

const describeProcesses = (openDatabase: () => Promise<JobDatabase>): void => {
  let database: JobDatabase;
  const children: Child[] = [];
  const workers: JobWorker[] = [];

  const start = (script: string, ...args: readonly (string | number)[]): Child => {
    const { kind, location } = database;
    const child = startChild(new URL(script, import.meta.url), kind, location, ...args.map(String));
    children.push(child);
    return child;
  };
  const openQueue = async (): Promise<AgendaJobQueue> =>
    new AgendaJobQueue(await database.connect(), { pollMs: 100, heartbeatMs: 300, lockLifetimeMs: SHORT_LOCKS_MS });
  const work = async (queue: AgendaJobQueue, kind: string, run: () => Promise<JobOutcome>): Promise<void> => {
    workers.push(await queue.work({ [kind]: { concurrency: 1, run } }, rethrow));
  };

  beforeEach(async () => {
    database = await openDatabase();
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
    await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
    await database.remove();
  });

  it('runs 300 jobs and one recurring job exactly once in three processes', async () => {
    const queue = await openQueue();
    const processes = [0, 1, 2].map(() => start('work.child.ts', LONG_LOCKS_MS));
    await eventually(() => processes.every(({ lines }) => lines.includes('ready')), LIMIT_MS);
    const numbers = Array.from({ length: 300 }, (_, i) => String(i));
    for (const number of numbers) await queue.enqueue('count', { number });
    const ran = () => processes.map((child) => child.lines.filter((line) => line !== 'ready'));
    await eventually(() => ran().flat().length > 300, LIMIT_MS);
    for (const child of processes) child.proceed();
    await Promise.all(processes.map((child) => child.ended()));
    expect(ran().flat()).to.have.members([...numbers, 'tick']);
    for (const lines of ran()) expect(lines).to.not.be.empty;
  });

  it('runs the job of a killed process again', async () => {
    const queue = await openQueue();
    await queue.enqueue('hang', {});
    const child = start('work.child.ts', SHORT_LOCKS_MS);
    await eventually(() => child.lines.includes('hanging'), LIMIT_MS);
    await child.kill();
    let ran = 0;
    await work(queue, 'hang', async () => (ran++, 'done'));
    await eventually(() => ran === 1, LIMIT_MS);
  });

  for (const outcome of ['done', 'retry']) {
    it(`does not change a job whose lock has expired while its process was suspended, when the job ends with '${outcome}'`, async () => {
      const queue = await openQueue();
      const stale = start('stale.child.ts', outcome);
      await queue.enqueue('job', {});
      await stale.printed(1);
      process.kill(stale.pid, 'SIGSTOP');
      const ends = Promise.withResolvers<JobOutcome>();
      let runs = 0;
      await work(queue, 'job', () => (++runs === 1 ? ends.promise : Promise.resolve('done')));
      await eventually(() => runs === 1, LIMIT_MS);
      process.kill(stale.pid, 'SIGCONT');
      stale.proceed();
      await stale.ended();
      ends.resolve({ retryAt: 0 });
      await eventually(() => runs === 2, LIMIT_MS);
    });
  }
};

describe('AgendaJobQueue on SQLite in several processes', function () {
  this.timeout(240_000);
  describeProcesses(sqliteJobs);
});

await describeOnMongo('AgendaJobQueue on MongoDB in several processes', (server) => {
  describe('on one database', function () {
    this.timeout(240_000);
    describeProcesses(() => mongoJobs(server));
  });
});
