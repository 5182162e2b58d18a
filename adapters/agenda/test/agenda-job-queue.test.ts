import { setImmediate as othersFirst } from 'node:timers/promises';
import type { JobHandler, JobOutcome, RunningJob } from '@palimpsest/core';
import type { AgendaBackend, JobRepository } from 'agenda';
import { expect } from 'chai';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { mongoPlace, sqlitePlace, type Place } from './places.ts';
import { inMs, SHORT, someQueues, until, type Queues } from './queues.ts';

/** A backend whose repository is `changed` in some methods. */
const withRepository = (backend: AgendaBackend, changed: Partial<JobRepository>): AgendaBackend => {
  const repository = new Proxy(backend.repository, {
    get: (target, name) => {
      const own: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
  return {
    name: backend.name,
    ownsConnection: false,
    repository,
    notificationChannel: backend.notificationChannel,
    connect: () => backend.connect(),
    disconnect: () => backend.disconnect(),
  };
};

/** A store that cannot be reached while `down` says so. */
const failingWhile =
  (down: () => boolean) =>
  (backend: AgendaBackend): AgendaBackend => ({
    ...withRepository(backend, {}),
    repository: new Proxy(backend.repository, {
      get: (target, name) => {
        const own: unknown = Reflect.get(target, name);
        if (typeof own !== 'function') return own;
        return (...given: unknown[]) =>
          down() ? Promise.reject(new Error('The store is down')) : own.apply(target, given);
      },
    }),
  });

const unexpected = (error: unknown): never => {
  throw error;
};

const handler = (run: (job: RunningJob) => Promise<JobOutcome> | JobOutcome, concurrency = 1): JobHandler => ({
  concurrency,
  run: async (job) => run(job),
});

const describeQueue = (makePlace: () => Promise<Place>): void => {
  let queues: Queues;
  let errors: { error: unknown; kind: string }[];
  const onError = (error: unknown, kind: string) => void errors.push({ error, kind });

  beforeEach(async () => {
    errors = [];
    queues = await someQueues(makePlace);
  });
  afterEach(() => queues.remove());

  it('starts a job that was added in the same process at once', async () => {
    const queue = await queues.queue(undefined, { lookEveryMs: 60_000 });
    let ran = 0;
    queues.stopLater(await queue.work({ job: handler(() => (ran++, 'done')) }, onError));
    for (let i = 1; i <= 5; i++) {
      const start = performance.now();
      await queue.enqueue('job', {});
      await until(() => ran === i);
      expect(performance.now() - start).to.be.below(1_000);
    }
  });

  it('looks again for a job that was added while it looked', async () => {
    const gate = Promise.withResolvers<void>();
    let looks = 0;
    const change = (backend: AgendaBackend) =>
      withRepository(backend, {
        getNextJobToRun: async (...given) => {
          if (++looks > 1) return backend.repository.getNextJobToRun(...given);
          await gate.promise;
          return undefined;
        },
      });
    const queue = await queues.queue(change, { lookEveryMs: 60_000 });
    let ran = 0;
    queues.stopLater(await queue.work({ job: handler(() => (ran++, 'done')) }, onError));
    await until(() => looks === 1);
    await queue.enqueue('job', {});
    for (let turn = 0; turn < 5; turn++) await othersFirst();
    gate.resolve();
    await until(() => ran === 1);
  });

  it('does not wait for its next look when a job has ended', async () => {
    const queue = await queues.queue(undefined, { lookEveryMs: 60_000 });
    for (let i = 0; i < 20; i++) await queue.enqueue('job', { i });
    const ran: unknown[] = [];
    queues.stopLater(await queue.work({ job: handler(({ payload }) => (ran.push(payload['i']), 'done')) }, onError));
    await until(() => ran.length === 20);
    expect(ran).to.deep.equal(Array.from({ length: 20 }, (_, i) => i));
  });

  it('does not let a job that is not due yet keep another one waiting', async () => {
    const queue = await queues.queue();
    const ran: unknown[] = [];
    await queue.enqueue('job', { name: 'later' }, inMs(400));
    queues.stopLater(await queue.work({ job: handler(({ payload }) => (ran.push(payload['name']), 'done')) }, onError));
    await queue.enqueue('job', { name: 'now' });
    await until(() => ran.length === 1);
    expect(await queue.countWaiting('job')).to.equal(1);
    await until(() => ran.length === 2);
    expect(ran).to.deep.equal(['now', 'later']);
  });

  it('puts jobs off by the clock that it is given, even if that is an hour ahead of the wall clock', async () => {
    const ahead = { now: () => (Date.now() + 3_600_000) * 1_000 };
    const queue = await queues.queue(undefined, { clock: ahead });
    let runs = 0;
    queues.stopLater(
      await queue.work({ job: handler(() => (++runs === 1 ? { retryAt: ahead.now() + 300_000 } : 'done')) }, onError),
    );
    await queue.enqueue('job', {}, ahead.now() + 300_000);
    await until(() => runs === 2);
    expect(errors).to.deep.equal([]);
  });

  it('runs a job again at the moment asked for, never before, and once', async () => {
    const queue = await queues.queue();
    const second = await queues.queue();
    const begun: number[] = [];
    let wanted = 0;
    const job = handler(() => {
      begun.push(Date.now() * 1_000);
      if (begun.length > 1) return 'done';
      // A fraction of a millisecond counts.
      wanted = inMs(500) + 1;
      return { retryAt: wanted };
    });
    for (const each of [queue, second]) queues.stopLater(await each.work({ job }, onError));
    await queue.enqueue('job', {});
    await until(() => begun.length === 2);
    expect(begun[1]).to.be.at.least(wanted);
    await until(async () => (await (await queues.connect()).agendaBackend().repository.queryJobs()).total === 0);
    expect(begun).to.have.length(2);
    expect(errors).to.deep.equal([]);
  });

  it('keeps a long job locked by heartbeats while it runs', async () => {
    const queue = await queues.queue();
    const second = await queues.queue();
    let running = 0;
    let most = 0;
    const held = Promise.withResolvers<void>();
    const job = handler(async (): Promise<JobOutcome> => {
      most = Math.max(most, ++running);
      await held.promise;
      return 'done';
    });
    for (const each of [queue, second]) queues.stopLater(await each.work({ job }, onError));
    const { repository } = (await queues.connect()).agendaBackend();
    await queue.enqueue('job', {});
    await until(() => running === 1);
    const lockedAt = async () => (await repository.queryJobs()).jobs[0]?.lockedAt?.getTime() ?? 0;
    const first = await lockedAt();
    await until(async () => (await lockedAt()) > first + 2 * (SHORT.lockLifetimeMs ?? 0));
    held.resolve();
    await until(async () => (await repository.queryJobs()).total === 0);
    expect(most).to.equal(1);
    expect(errors).to.deep.equal([]);
  });

  it('tells of a handler that throws and runs its job again after a while', async () => {
    const queue = await queues.queue();
    const fault = new Error('no');
    const begun: number[] = [];
    const job = handler(() => {
      begun.push(performance.now());
      if (begun.length === 1) throw fault;
      return 'done';
    });
    queues.stopLater(await queue.work({ job }, onError));
    await queue.enqueue('job', {});
    await until(() => begun.length === 2);
    expect(errors).to.deep.equal([{ error: fault, kind: 'job' }]);
    expect((begun[1] ?? 0) - (begun[0] ?? 0)).to.be.at.least(299);
  });

  it('gives back at the stop what it locked and did not begin, also what it was just fetching', async () => {
    const fetching = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const queue = await queues.queue((backend) =>
      withRepository(backend, {
        getNextJobToRun: async (...given) => {
          const job = await backend.repository.getNextJobToRun(...given);
          if (job) fetching.resolve();
          await gate.promise;
          return job;
        },
      }),
    );
    let ran = 0;
    await queue.enqueue('job', {});
    const worker = await queue.work({ job: handler(() => (ran++, 'done')) }, onError);
    await fetching.promise;
    const stopped = worker.stop(1_000);
    gate.resolve();
    await stopped;
    expect(ran).to.equal(0);
    expect(await queue.countWaiting('job')).to.equal(1);
    const { repository } = (await queues.connect()).agendaBackend();
    expect((await repository.queryJobs()).jobs.map((job) => job.lockedAt)).to.deep.equal([undefined]);
  });

  it('waits at the stop for the handlers that run, aborts them after the grace, and takes no more', async () => {
    const queue = await queues.queue();
    const aborted: number[] = [];
    let begun = 0;
    const job = handler(({ signal }) => {
      begun++;
      return new Promise<JobOutcome>((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.push(performance.now());
          resolve({ retryAt: inMs(0) });
        });
      });
    }, 2);
    for (let i = 0; i < 3; i++) await queue.enqueue('job', { i });
    const worker = await queue.work({ job }, onError);
    await until(() => begun === 2);
    const start = performance.now();
    await worker.stop(200);
    expect(aborted).to.have.length(2);
    expect(Math.min(...aborted) - start).to.be.at.least(195);
    expect(begun).to.equal(2);
    expect(await queue.countWaiting('job')).to.equal(3);
    await worker.stop(0);
  });

  it('ends no later than its handlers at the stop', async () => {
    const queue = await queues.queue();
    let begun = 0;
    const job = handler(async (): Promise<JobOutcome> => {
      begun++;
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      return 'done';
    });
    await queue.enqueue('job', {});
    const worker = await queue.work({ job }, onError);
    await until(() => begun === 1);
    const start = performance.now();
    await worker.stop(20_000);
    expect(performance.now() - start).to.be.below(2_000);
    expect(await queue.countWaiting('job')).to.equal(0);
  });

  it('goes on by itself when the store was away while it looked for jobs', async () => {
    let down = false;
    const queue = await queues.queue(failingWhile(() => down));
    let ran = 0;
    queues.stopLater(await queue.work({ job: handler(() => (ran++, 'done')) }, onError));
    down = true;
    await until(() => errors.length > 0);
    const other = await queues.queue();
    await other.enqueue('job', {});
    down = false;
    await until(() => ran === 1);
    // Told once, however often it looked.
    expect(errors).to.have.length(1);
  });

  it('loses nothing and runs nothing twice when the store was away as jobs ended', async () => {
    let down = false;
    const queue = await queues.queue(failingWhile(() => down));
    const ran: unknown[] = [];
    const job = handler(({ payload }) => {
      ran.push(payload['name']);
      down = true;
      return payload['name'] === 'over' || ran.length > 2 ? 'done' : { retryAt: inMs(0) };
    }, 2);
    await queue.enqueue('job', { name: 'over' });
    await queue.enqueue('job', { name: 'again' });
    queues.stopLater(await queue.work({ job }, onError));
    await until(() => ran.length === 2 && errors.length > 0);
    down = false;
    const { repository } = (await queues.connect()).agendaBackend();
    await until(() => ran.length === 3);
    down = false;
    await until(async () => (await repository.queryJobs()).total === 0);
    expect(ran).to.deep.equal(['over', 'again', 'again']);
  });

  it('keeps the lock of a running job through a time without the store', async () => {
    let down = false;
    const queue = await queues.queue(failingWhile(() => down));
    const held = Promise.withResolvers<void>();
    let ran = 0;
    const job = handler(async (): Promise<JobOutcome> => {
      ran++;
      await held.promise;
      return 'done';
    });
    queues.stopLater(await queue.work({ job }, onError));
    await queue.enqueue('job', {});
    await until(() => ran === 1);
    down = true;
    await until(() => errors.length > 0);
    down = false;
    const { repository } = (await queues.connect()).agendaBackend();
    const before = Date.now();
    await until(async () => ((await repository.queryJobs()).jobs[0]?.lockedAt?.getTime() ?? 0) > before);
    held.resolve();
    await until(async () => (await repository.queryJobs()).total === 0);
    expect(ran).to.equal(1);
  });

  it('leaves to another worker a job whose lock it lost', async () => {
    const queue = await queues.queue(undefined, { ...SHORT, heartbeatMs: 60_000 });
    const thief = await queues.queue();
    const first = Promise.withResolvers<JobOutcome>();
    const second = Promise.withResolvers<JobOutcome>();
    let stolen = false;
    const robbed = handler(() => first.promise);
    const thieving = handler(() => {
      stolen = true;
      return second.promise;
    });
    await queue.enqueue('job', {});
    const one = queues.stopLater(await queue.work({ job: robbed }, onError));
    const { repository } = (await queues.connect()).agendaBackend();
    await until(async () => (await repository.queryJobs({ state: 'running' })).total === 1);
    queues.stopLater(await thief.work({ job: thieving }, onError));
    await until(() => stolen);
    first.resolve({ retryAt: inMs(0) });
    await one.stop(5_000);
    expect((await repository.queryJobs({ state: 'running' })).total).to.equal(1);
    second.resolve('done');
    await until(async () => (await repository.queryJobs()).total === 0);
  });

  it('leaves to another worker a job whose lock it lost, although it has done it', async () => {
    const queue = await queues.queue(undefined, { ...SHORT, heartbeatMs: 60_000 });
    const thief = await queues.queue();
    const first = Promise.withResolvers<JobOutcome>();
    const second = Promise.withResolvers<JobOutcome>();
    let runs = 0;
    await queue.enqueue('job', {});
    const one = queues.stopLater(await queue.work({ job: handler(() => (runs++, first.promise)) }, onError));
    await until(() => runs === 1);
    queues.stopLater(await thief.work({ job: handler(() => (++runs === 2 ? second.promise : 'done')) }, onError));
    await until(() => runs === 2);
    first.resolve('done');
    await one.stop(5_000);
    const { repository } = (await queues.connect()).agendaBackend();
    expect((await repository.queryJobs({ state: 'running' })).total).to.equal(1);
    second.resolve({ retryAt: inMs(0) });
    await until(() => runs === 3);
    await until(async () => (await repository.queryJobs()).total === 0);
  });

  it('looks for nothing while it does no work', async () => {
    const calls: PropertyKey[] = [];
    const queue = await queues.queue((backend) => ({
      ...withRepository(backend, {}),
      repository: new Proxy(backend.repository, {
        get: (target, name) => {
          calls.push(name);
          const own: unknown = Reflect.get(target, name);
          return typeof own === 'function' ? own.bind(target) : own;
        },
      }),
    }));
    await queue.enqueue('job', {});
    const worker = await queue.work({}, onError);
    await worker.stop(0);
    calls.length = 0;
    let elapsed = false;
    setTimeout(() => (elapsed = true), 400);
    await until(() => elapsed);
    expect(calls).to.deep.equal([]);
  });

  it('refuses a kind that is none', async () => {
    const queue = await queues.queue();
    for (const kind of ['', 'Job', '1', 'a b']) {
      let thrown: unknown;
      await queue.enqueue(kind, {}).catch((error: unknown) => (thrown = error));
      expect(thrown, kind).to.be.instanceOf(TypeError);
    }
  });
};

describe('AgendaJobQueue on SQLite', function () {
  this.timeout(30_000);
  describeQueue(sqlitePlace);

  describe('told of jobs by its backend', () => {
    let queues: Queues;

    beforeEach(async () => {
      queues = await someQueues(sqlitePlace);
    });
    afterEach(() => queues.remove());

    it('starts a job that another connection added without waiting for its next look', async () => {
      const queue = await queues.queue(undefined, { lookEveryMs: 60_000 });
      let ran = 0;
      queues.stopLater(await queue.work({ job: handler(() => (ran++, 'done')) }, unexpected));
      const other = await queues.queue();
      const start = performance.now();
      await other.enqueue('job', {});
      await until(() => ran === 1);
      expect(performance.now() - start).to.be.below(1_000);
    });
  });
});

await describeOnMongo('AgendaJobQueue on MongoDB', (server) => {
  describe('in one process', function () {
    this.timeout(60_000);
    describeQueue(() => mongoPlace(server));
  });
});
