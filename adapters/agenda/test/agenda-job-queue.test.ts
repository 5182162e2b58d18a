import { AgendaJobQueue, type AgendaJobQueueOptions } from '@palimpsest/agenda';
import type { JobStore } from '@palimpsest/job-store';
import type { JobHandler, JobOutcome, JobWorker, RunningJob } from '@palimpsest/core';
import { expect } from 'chai';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { mongoJobs, sqliteJobs, type JobDatabase } from './job-stores.ts';
import { stopClock, type StoppedClock } from '../../../test/stopped-clock.ts';
import { eventually } from '../../../test/expectations.ts';

const LIFETIME_MS = 45_000;

/** A store that throws while `isDown` returns true. */
const failingWhile = (store: JobStore, isDown: () => boolean): JobStore =>
  new Proxy(store, {
    get: (target, name) => {
      const own: unknown = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      return (...given: unknown[]) =>
        isDown() ? Promise.reject(new Error('The store is down')) : own.apply(target, given);
    },
  });

const handler = (run: (job: RunningJob) => Promise<JobOutcome> | JobOutcome, concurrency = 1): JobHandler => ({
  concurrency,
  run: async (job) => run(job),
});

const done = (): 'done' => 'done';

const describeQueue = (openDatabase: () => Promise<JobDatabase>): void => {
  let database: JobDatabase;
  let clock: StoppedClock;
  let errors: { error: unknown; kind: string }[];
  const workers: JobWorker[] = [];
  const onError = (error: unknown, kind: string) => void errors.push({ error, kind });

  beforeEach(async () => {
    errors = [];
    database = await openDatabase();
    clock = stopClock();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
    clock.restore();
    await database.remove();
  });

  const queueOn = (store: JobStore, options: AgendaJobQueueOptions = {}): AgendaJobQueue =>
    new AgendaJobQueue(store, { pollMs: 20, heartbeatMs: 20, lockLifetimeMs: LIFETIME_MS, ...options });

  const work = async (queue: AgendaJobQueue, job: JobHandler): Promise<JobWorker> => {
    const worker = await queue.work({ job }, onError);
    workers.push(worker);
    return worker;
  };

  /** Starts a worker whose intervals never end, so that it polls once, at its start. */
  const workWithoutPolls = async (queue: AgendaJobQueue, job: JobHandler): Promise<void> => {
    const { setInterval } = globalThis;
    globalThis.setInterval = ((_poll: () => void) => setInterval(() => {}, 2 ** 30).unref()) as typeof setInterval;
    try {
      await work(queue, job);
    } finally {
      globalThis.setInterval = setInterval;
    }
  };

  /** Expects that the store contains no job, not even a locked job or a job that is due later. */
  const expectNoJob = async (): Promise<void> => {
    const store = await database.connect();
    clock.advance(10 * LIFETIME_MS);
    await store.releaseExpired(['job'], Date.now() - LIFETIME_MS);
    expect(await store.lockNext('job', 'another', Date.now())).to.equal(undefined);
  };

  it('refuses a kind that is not lowercase letters and hyphens', async () => {
    const queue = queueOn(await database.connect());
    const error: unknown = await queue.enqueue('Job 1', {}).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TypeError);
  });

  it('starts the jobs of the same process without waiting for the next poll', async () => {
    const queue = queueOn(await database.connect());
    const ran: unknown[] = [];
    await workWithoutPolls(
      queue,
      handler(({ payload }) => (ran.push(payload['i']), 'done')),
    );
    for (let i = 0; i < 5; i++) {
      await queue.enqueue('job', { i });
      await eventually(() => ran.length === i + 1);
    }
    expect(ran).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('starts a job that is added while the worker looks for jobs, without waiting for the next poll', async () => {
    const store = await database.connect();
    const looked = Promise.withResolvers<void>();
    const added = Promise.withResolvers<void>();
    let isFirst = true;
    const slow: JobStore = new Proxy(store, {
      get: (target, name) => {
        if (name !== 'lockNext') return Reflect.get(target, name).bind(target);
        return async (...given: Parameters<JobStore['lockNext']>) => {
          const job = await target.lockNext(...given);
          if (isFirst) {
            isFirst = false;
            looked.resolve();
            await added.promise;
          }
          return job;
        };
      },
    });
    const queue = queueOn(slow);
    let runs = 0;
    await workWithoutPolls(
      queue,
      handler(() => (runs++, 'done')),
    );
    await looked.promise;
    await queue.enqueue('job', {});
    await new Promise((resolve) => setImmediate(resolve)); // the worker is woken during its first look
    added.resolve();
    await eventually(() => runs === 1);
  });

  it('starts the next stored job without waiting for the next poll when a job has ended', async () => {
    const queue = queueOn(await database.connect());
    for (let i = 0; i < 20; i++) await queue.enqueue('job', { i });
    const ran: unknown[] = [];
    await workWithoutPolls(
      queue,
      handler(({ payload }) => (ran.push(payload['i']), 'done')),
    );
    await eventually(() => ran.length === 20);
    expect(ran).to.deep.equal(Array.from({ length: 20 }, (_, i) => i));
  });

  it('uses the given clock, even if it is an hour ahead of the wall clock', async () => {
    const ahead = { now: () => clock.now() + 3_600_000_000 };
    const queue = queueOn(await database.connect(), { clock: ahead });
    let runs = 0;
    await work(
      queue,
      handler(() => (++runs === 1 ? { retryAt: ahead.now() + 5_000_000 } : 'done')),
    );
    await queue.enqueue('job', {}, ahead.now() + 5_000_000);
    clock.advance(5_000);
    await eventually(() => runs === 1);
    await eventually(async () => (await (await database.connect()).lockNext('job', 't', 0)) === undefined);
    clock.advance(5_000);
    await eventually(() => runs === 2);
    expect(errors).to.deep.equal([]);
  });

  it('keeps the lock of a job that runs longer than the lifetime of a lock', async () => {
    const store = await database.connect();
    let renewedAt = 0;
    const renewing: JobStore = new Proxy(store, {
      get: (target, name) => {
        if (name !== 'renew') return Reflect.get(target, name).bind(target);
        return async (...[lock, nowMs]: Parameters<JobStore['renew']>) => {
          const isHeld = await store.renew(lock, nowMs);
          renewedAt = nowMs;
          return isHeld;
        };
      },
    });
    const end = Promise.withResolvers<JobOutcome>();
    let runs = 0;
    const job = handler(() => (runs++, end.promise));
    const queue = queueOn(renewing);
    await work(queue, job);
    await queue.enqueue('job', {});
    await eventually(() => runs === 1);
    await work(queueOn(await database.connect()), job);
    for (let i = 0; i < 4; i++) {
      clock.advance(LIFETIME_MS - 10_000);
      await eventually(() => renewedAt === Date.now());
    }
    end.resolve('done');
    await Promise.all(workers.splice(0).map((worker) => worker.stop(600_000)));
    expect(runs).to.equal(1);
    await expectNoJob();
    expect(errors).to.deep.equal([]);
  });

  for (const outcome of ['done', { retryAt: 0 }] as const) {
    const end = outcome === 'done' ? 'it is done' : 'it asks for a retry';
    it(`does not change a job that another worker has locked since when ${end}`, async () => {
      let isStalled = false;
      const stalled = queueOn(failingWhile(await database.connect(), () => isStalled));
      const [first, second] = [Promise.withResolvers<JobOutcome>(), Promise.withResolvers<JobOutcome>()];
      let runs = 0;
      const stalling = await work(
        stalled,
        handler(() => (runs++, first.promise)),
      );
      await stalled.enqueue('job', {});
      await eventually(() => runs === 1);
      isStalled = true;
      await eventually(() => errors.length > 0);
      clock.advance(LIFETIME_MS);
      const other = await work(
        queueOn(await database.connect()),
        handler(() => (++runs === 2 ? second.promise : 'done')),
      );
      await eventually(() => runs === 2);
      isStalled = false;
      await eventually(() => errors.some(({ error }) => /was lost/.test(String(error))));
      first.resolve(outcome);
      await stalling.stop(600_000);
      second.resolve({ retryAt: 0 });
      await eventually(() => runs === 3);
      await other.stop(600_000);
      await expectNoJob();
    });
  }

  it('releases a job that the store returns while the worker stops', async () => {
    const store = await database.connect();
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: JobStore = new Proxy(store, {
      get: (target, name) => {
        if (name !== 'lockNext') return Reflect.get(target, name).bind(target);
        return async (...given: Parameters<JobStore['lockNext']>) => {
          const job = await store.lockNext(...given);
          if (job !== undefined) asked.resolve();
          await answer.promise;
          return job;
        };
      },
    });
    let ran = 0;
    const job = handler(() => (ran++, 'done'));
    const queue = queueOn(slow);
    await queue.enqueue('job', {});
    const worker = await work(queue, job);
    await asked.promise;
    const stopped = worker.stop(600_000);
    answer.resolve();
    await stopped;
    expect(ran).to.equal(0);
    await work(queueOn(store), job);
    await eventually(() => ran === 1);
  });

  it('reports an unreachable store once while it polls, and continues when the store is back', async () => {
    let isDown = false;
    const queue = queueOn(failingWhile(await database.connect(), () => isDown));
    let ran = 0;
    await work(
      queue,
      handler(() => (ran++, 'done')),
    );
    isDown = true;
    await eventually(() => errors.length > 0);
    await queueOn(await database.connect()).enqueue('job', {});
    isDown = false;
    await eventually(() => ran === 1);
    expect(errors).to.have.length(1);
  });

  it('stores the ends of its jobs when the store is back, and runs no job twice', async () => {
    let isDown = false;
    const queue = queueOn(failingWhile(await database.connect(), () => isDown));
    const ran: unknown[] = [];
    const ends = [Promise.withResolvers<JobOutcome>(), Promise.withResolvers<JobOutcome>()];
    await queue.enqueue('job', { n: 0 });
    await queue.enqueue('job', { n: 1 });
    const job = handler(({ payload }) => {
      ran.push(payload['n']);
      return ran.length > 2 ? 'done' : (ends[Number(payload['n'])]?.promise ?? 'done');
    }, 2);
    const worker = await work(queue, job);
    await eventually(() => ran.length === 2);
    isDown = true;
    ends[0]?.resolve('done');
    ends[1]?.resolve({ retryAt: 0 });
    await eventually(() => errors.length > 0);
    isDown = false;
    await eventually(() => ran.length === 3);
    await worker.stop(600_000);
    expect(ran.toSorted((a, b) => Number(a) - Number(b))).to.deep.equal([0, 1, 1]);
    await expectNoJob();
  });

  it('throws when it starts and cannot store its recurring job', async () => {
    const queue = queueOn(failingWhile(await database.connect(), () => true));
    const error: unknown = await queue
      .work({ job: { ...handler(done), everyMs: 1_000 } }, onError)
      .catch((thrown: unknown) => thrown);
    expect(String(error)).to.include('The store is down');
  });
};

describe('AgendaJobQueue on SQLite', () => describeQueue(sqliteJobs));

await describeOnMongo('AgendaJobQueue on MongoDB', (server) => {
  describe('AgendaJobQueue', () => describeQueue(() => mongoJobs(server)));
});
