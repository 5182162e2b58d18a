import type { JobHandler, JobPayload, JobQueue } from '@palimpsest/core';
import { MemoryJobQueue } from '@palimpsest/memory';
import { describeJobQueue } from '../../src/index.ts';
import { describeStoreMutants, type Mutant } from './mutant.ts';

const now = (): number => Date.now() * 1000;

/** Changes each handler of a worker. */
const handling =
  (
    change: (handler: JobHandler, kind: string, onError: (error: unknown, kind: string) => void) => Partial<JobHandler>,
  ): Mutant<JobQueue> =>
  (sound) => ({
    work: (handlers, onError) => {
      const changed = Object.entries(handlers).map(([kind, handler]): [string, JobHandler] => {
        const own: JobHandler = { concurrency: handler.concurrency, run: (job) => handler.run(job) };
        return [kind, { ...own, ...change(own, kind, onError) }];
      });
      return sound.work(Object.fromEntries(changed), onError);
    },
  });

describeStoreMutants('JobQueue', describeJobQueue, (store) => new MemoryJobQueue(store, { retryMs: 50 }), {
  'adds each job twice': (sound) => ({
    enqueue: async (...job) => {
      await sound.enqueue(...job);
      await sound.enqueue(...job);
    },
  }),
  'adds equal jobs only once': (sound) => {
    const known = new Set<string>();
    return {
      enqueue: async (kind, payload, notBefore) => {
        const job = JSON.stringify([kind, payload, notBefore]);
        if (!known.has(job)) await sound.enqueue(kind, payload, notBefore);
        known.add(job);
      },
    };
  },
  'loses properties that are null': (sound) => ({
    enqueue: (kind, payload, notBefore) =>
      sound.enqueue(kind, Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null)), notBefore),
  }),
  'gives handlers the object that was enqueued': (sound) => {
    const payloads: JobPayload[] = [];
    return {
      enqueue: (kind, payload, notBefore) => sound.enqueue(kind, { index: payloads.push(payload) - 1 }, notBefore),
      ...handling((handler) => ({
        run: ({ payload, signal }) => handler.run({ payload: payloads[Number(payload['index'])] ?? {}, signal }),
      }))(sound, undefined as never),
    };
  },
  'runs jobs before they are due': (sound) => ({ enqueue: (kind, payload) => sound.enqueue(kind, payload) }),
  'allows any number of concurrent jobs': handling(() => ({ concurrency: 100 })),
  'runs one job at a time': handling(() => ({ concurrency: 1 })),
  'runs each job twice': handling((handler) => ({
    run: async (job) => {
      await handler.run(job);
      return await handler.run(job);
    },
  })),
  'drops a job that asks for a retry': handling((handler) => ({
    run: async (job) => {
      await handler.run(job);
      return 'done';
    },
  })),
  'retries a job at once': handling((handler) => ({
    run: async (job) => ((await handler.run(job)) === 'done' ? 'done' : { retryAt: now() }),
  })),
  'drops a job whose handler throws': handling((handler, kind, onError) => ({
    run: (job) =>
      handler.run(job).catch((error: unknown) => {
        onError(error, kind);
        return 'done' as const;
      }),
  })),
  'swallows the errors of handlers': (sound) => ({ work: (handlers) => sound.work(handlers, () => {}) }),
  'does not wait for running jobs when it stops': (sound) => ({
    work: async (handlers, onError) => {
      const worker = await sound.work(handlers, onError);
      return { stop: async (graceMs) => void worker.stop(graceMs) };
    },
  }),
  'aborts running jobs without a grace period': (sound) => ({
    work: async (handlers, onError) => {
      const worker = await sound.work(handlers, onError);
      return { stop: () => worker.stop(0) };
    },
  }),
  'never aborts running jobs': handling((handler) => ({
    run: ({ payload }) => handler.run({ payload, signal: new AbortController().signal }),
  })),
  'drops a job that an aborted handler gives back': handling((handler) => ({
    run: async (job) => {
      const outcome = await handler.run(job);
      return job.signal.aborted ? 'done' : outcome;
    },
  })),
});
