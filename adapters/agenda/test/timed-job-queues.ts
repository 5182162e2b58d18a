import { setTimeout as delay } from 'node:timers/promises';
import { AgendaJobQueue } from '@palimpsest/agenda';
import type { JobStore } from '@palimpsest/job-store';
import type { TimedJobQueue } from '@palimpsest/contract-tests';
import { stopClock } from '../../../test/stopped-clock.ts';

const POLL_MS = 20;

/** Job queues on the stores of one database. They share a clock. */
export interface TimedJobQueues {
  /** Opens a queue on its own store. */
  readonly open: () => Promise<TimedJobQueue>;
  /** Kills the process of the open queues: their stores are not called any more. */
  readonly kill: () => Promise<void>;
  readonly restoreClock: () => void;
}

/** What a killed process sees of its store. It reports no error, so that a test can stop its workers. */
const storeOfKilled: JobStore = {
  add: () => Promise.resolve(),
  addRecurring: () => Promise.resolve(),
  lockNext: () => Promise.resolve(undefined),
  renew: () => Promise.resolve(true),
  release: () => Promise.resolve(true),
  remove: () => Promise.resolve(true),
  releaseExpired: () => Promise.resolve(),
};

/** Opens job queues for the contract suite. `connect` opens a store on the database. */
export const timedJobQueues = (connect: () => Promise<JobStore>): TimedJobQueues => {
  const clock = stopClock();
  const calls = new Set<Promise<unknown>>(); // of all stores, not answered yet

  const alive = new Set<JobStore>();

  const watched = (store: JobStore): JobStore => {
    alive.add(store);
    return new Proxy(store, {
      get:
        (_, name) =>
        (...given: unknown[]): Promise<unknown> => {
          const target = alive.has(store) ? store : storeOfKilled;
          const call: Promise<unknown> = Reflect.get(target, name).apply(target, given);
          const forget = (): void => void calls.delete(call);
          calls.add(call);
          call.then(forget, forget);
          return call;
        },
    });
  };

  // Timers of one duration fire in the order in which they were set. So each worker polls once per delay and renews
  // its locks, and these calls are among those that are not answered yet.
  const polled = async (): Promise<void> => {
    for (let polls = 0; polls < 2; polls++) {
      await delay(POLL_MS);
      await Promise.allSettled(calls);
    }
  };

  return {
    open: async () => ({
      jobs: new AgendaJobQueue(watched(await connect()), { pollMs: POLL_MS, heartbeatMs: POLL_MS }),
      now: clock.now,
      advance: clock.advance,
      polled,
    }),
    kill: async () => {
      alive.clear();
      await Promise.allSettled(calls);
    },
    restoreClock: clock.restore,
  };
};
