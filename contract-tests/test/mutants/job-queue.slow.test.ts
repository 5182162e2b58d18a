import type { JobHandler, JobPayload, JobQueue } from '@palimpsest/core';
import type { MemoryStore } from '@palimpsest/memory';
import { describeJobQueue, type TimedJobQueue } from '../../src/index.ts';
import { clockOf, openJobQueue } from './memory-job-queue.ts';
import { describeStoreMutants, inPart, type Mutant } from './mutant.ts';

const firstIntervals = new WeakMap<MemoryStore, Map<string, number>>();

const TEN_THOUSAND_YEARS_MS = 315_360_000_000_000;

/** Changes each handler of a worker. */
const handling =
  (
    change: (handler: JobHandler, kind: string, onError: (error: unknown, kind: string) => void) => Partial<JobHandler>,
  ): Mutant<JobQueue> =>
  (original) => ({
    work: (handlers, onError) => {
      const changed = Object.entries(handlers).map(([kind, handler]): [string, JobHandler] => {
        const own: JobHandler = { ...handler, run: (job) => handler.run(job) };
        return [kind, { ...own, ...change(own, kind, onError) }];
      });
      return original.work(Object.fromEntries(changed), onError);
    },
  });

describeStoreMutants(
  'JobQueue',
  (name, open, without) => describeJobQueue(name, open, { ...without, kill: 'the mutants share a process' }),
  openJobQueue,
  inPart<'jobs', JobQueue, TimedJobQueue>('jobs', {
    'adds each job twice': (original) => ({
      enqueue: async (...job) => {
        await original.enqueue(...job);
        await original.enqueue(...job);
      },
    }),
    'adds equal jobs only once': (original) => {
      const known = new Set<string>();
      return {
        enqueue: async (kind, payload, notBefore) => {
          const job = JSON.stringify([kind, payload, notBefore]);
          if (!known.has(job)) await original.enqueue(kind, payload, notBefore);
          known.add(job);
        },
      };
    },
    'drops properties that are null': (original) => ({
      enqueue: (kind, payload, notBefore) =>
        original.enqueue(
          kind,
          Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null)),
          notBefore,
        ),
    }),
    'passes the enqueued object itself to handlers': (original) => {
      const payloads: JobPayload[] = [];
      return {
        enqueue: (kind, payload, notBefore) => original.enqueue(kind, { index: payloads.push(payload) - 1 }, notBefore),
        ...handling((handler) => ({
          run: ({ payload, signal }) => handler.run({ payload: payloads[Number(payload['index'])] ?? {}, signal }),
        }))(original, undefined as never),
      };
    },
    'runs jobs before they are due': (original) => ({ enqueue: (kind, payload) => original.enqueue(kind, payload) }),
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
      run: async (job) => ((await handler.run(job)) === 'done' ? 'done' : { retryAt: 0 }),
    })),
    'drops a job whose handler throws': handling((handler, kind, onError) => ({
      run: (job) =>
        handler.run(job).catch((error: unknown) => {
          onError(error, kind);
          return 'done' as const;
        }),
    })),
    'does not report the errors of handlers': (original) => ({ work: (handlers) => original.work(handlers, () => {}) }),
    'does not wait for running jobs when it stops': (original) => ({
      work: async (handlers, onError) => {
        const worker = await original.work(handlers, onError);
        return { stop: async (graceMs) => void worker.stop(graceMs) };
      },
    }),
    'aborts running jobs without a grace period': (original) => ({
      work: async (handlers, onError) => {
        const worker = await original.work(handlers, onError);
        return { stop: () => worker.stop(0) };
      },
    }),
    'never aborts running jobs': handling((handler) => ({
      run: ({ payload }) => handler.run({ payload, signal: new AbortController().signal }),
    })),
    'drops a job for which an aborted handler asks for a retry': handling((handler) => ({
      run: async (job) => {
        const outcome = await handler.run(job);
        return job.signal.aborted ? 'done' : outcome;
      },
    })),
    'runs the job of a live process again after a minute': (original, store) => ({
      work: (handlers, onError) => {
        const expire = async (): Promise<void> => {
          await clockOf(store).wait(60_000, new AbortController().signal);
          for (const job of store.jobs) job.running = false;
        };
        const expiring = handling((handler) => ({ run: (job) => (void expire(), handler.run(job)) }));
        return expiring(original, store).work?.(handlers, onError) ?? original.work(handlers, onError);
      },
    }),
    'runs a recurring job only once': handling(({ everyMs }) =>
      everyMs === undefined ? {} : { everyMs: TEN_THOUSAND_YEARS_MS },
    ),
    'runs a recurring job every second': handling(({ everyMs }) => (everyMs === undefined ? {} : { everyMs: 1_000 })),
    'runs a recurring job in each worker': (() => {
      let workers = 0;
      return (original) => ({
        work: (handlers, onError) => {
          const suffix = `-of-worker-${String.fromCharCode(97 + (workers++ % 26))}`;
          const renamed = Object.entries(handlers).map(([kind, handler]): [string, JobHandler] => [
            handler.everyMs === undefined ? kind : kind + suffix,
            handler,
          ]);
          return original.work(Object.fromEntries(renamed), onError);
        },
      });
    })(),
    'keeps the first interval of a recurring job': (original, store) => ({
      work: (handlers, onError) => {
        const kept = Object.entries(handlers).map(([kind, handler]): [string, JobHandler] => {
          if (handler.everyMs === undefined) return [kind, handler];
          const known = firstIntervals.get(store) ?? new Map<string, number>();
          firstIntervals.set(store, known);
          if (!known.has(kind)) known.set(kind, handler.everyMs);
          return [kind, { ...handler, everyMs: known.get(kind) ?? handler.everyMs }];
        });
        return original.work(Object.fromEntries(kept), onError);
      },
    }),
  }),
);
