import type { JobOutcome } from '@palimpsest/core';
import { expect } from 'chai';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { startChild, type Child } from '../../sqlite/test/child-process.ts';
import { mongoPlace, sqlitePlace, type Place } from './places.ts';
import { inMs, SHORT, someQueues, until, type Queues } from './queues.ts';

// A busy machine may take a second to store the end of a job.
const LONG_LOCKS = '60000';
const SHORT_LOCKS = String(SHORT.lockLifetimeMs);

const ignoreNothing = (error: unknown) => {
  throw error;
};

const describeProcesses = (makePlace: () => Promise<Place>): void => {
  let queues: Queues;
  const children: Child[] = [];

  const start = (script: string, ...args: readonly string[]): Child => {
    const { kind, location } = queues.place;
    const child = startChild(new URL(script, import.meta.url), kind, location, ...args);
    children.push(child);
    return child;
  };

  beforeEach(async () => {
    queues = await someQueues(makePlace);
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
    await queues.remove();
  });

  it('runs 300 jobs exactly once each on three of them', async () => {
    const queue = await queues.queue();
    const workers = [0, 1, 2].map(() => start('work.child.ts', LONG_LOCKS));
    await Promise.all(workers.map((child) => child.printed(1)));
    const numbers = Array.from({ length: 300 }, (_, i) => String(i));
    for (const number of numbers) await queue.enqueue('count', { number });
    const ran = () => workers.map((child) => child.lines.filter((line) => line !== 'ready'));
    await until(() => ran().flat().length >= 300, 60_000);
    await until(async () => (await queue.countWaiting('count')) === 0);
    for (const child of workers) child.go();
    await Promise.all(workers.map((child) => child.ended()));
    expect(ran().flat()).to.have.members(numbers);
    for (const lines of ran()) expect(lines).to.not.be.empty;
  });

  it('starts a job that another one added within a second', async () => {
    const queue = await queues.queue();
    const child = start('work.child.ts', LONG_LOCKS);
    await child.printed(1);
    const added = performance.now();
    await queue.enqueue('count', { number: 1 });
    await child.printed(2);
    expect(performance.now() - added).to.be.below(1_000);
    child.go();
    await child.ended();
  });

  it('runs the job of a killed one again when its lock has run out, not before', async () => {
    const queue = await queues.queue();
    await queue.enqueue('hang', { number: 7 });
    const child = start('work.child.ts', SHORT_LOCKS);
    await until(() => child.lines.includes('hanging'));
    await child.kill();
    const killedAt = performance.now();
    const ran: unknown[] = [];
    const hang = {
      concurrency: 1,
      run: ({ payload }: { payload: unknown }) => {
        ran.push(payload);
        return Promise.resolve('done' as const);
      },
    };
    queues.stopLater(await queue.work({ hang }, ignoreNothing));
    await until(() => ran.length > 0);
    // The lock was renewed at most a heartbeat before the end.
    expect(performance.now() - killedAt).to.be.within(800, 5_000);
    expect(ran).to.deep.equal([{ number: 7 }]);
    await queue.enqueue('hang', { number: 8 }, inMs(0));
    await until(() => ran.length === 2);
    expect(await queue.countWaiting('hang')).to.equal(0);
  });

  for (const outcome of ['done', 'again']) {
    it(`lets one that stood still for longer than its lock lasts change nothing when it wakes, although its job is ${outcome}`, async () => {
      const queue = await queues.queue();
      const stale = start('stale.child.ts', outcome);
      await queue.enqueue('job', {});
      await stale.printed(1);
      const pid = Number(stale.lines[0]);
      process.kill(pid, 'SIGSTOP');
      const ends = Promise.withResolvers<JobOutcome>();
      let runs = 0;
      const run = (): Promise<JobOutcome> => (++runs === 1 ? ends.promise : Promise.resolve('done'));
      queues.stopLater(await queue.work({ job: { concurrency: 1, run } }, ignoreNothing));
      await until(() => runs === 1);
      process.kill(pid, 'SIGCONT');
      stale.go();
      await stale.ended();
      const { repository } = (await queues.connect()).agendaBackend();
      const [kept] = (await repository.queryJobs()).jobs;
      expect(kept).to.have.property('state', 'running');
      // The lock is still renewed, so it is that of the new holder.
      await until(async () => ((await repository.queryJobs()).jobs[0]?.lockedAt ?? 0) > (kept?.lockedAt ?? 0));
      ends.resolve({ retryAt: inMs(0) });
      await until(() => runs === 2);
      await until(async () => (await repository.queryJobs()).total === 0);
    });
  }
};

describe('AgendaJobQueue on SQLite in several processes', function () {
  this.timeout(120_000);
  describeProcesses(sqlitePlace);
});

await describeOnMongo('AgendaJobQueue on MongoDB in several processes', (server) => {
  describe('on one database', function () {
    this.timeout(120_000);
    describeProcesses(() => mongoPlace(server));
  });
});
