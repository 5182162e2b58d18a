import { setTimeout as delay } from 'node:timers/promises';
import { AgendaJobQueue, type JobStore } from '@palimpsest/agenda';
import type { TimedJobQueue } from '@palimpsest/contract-tests';
import { stopClock } from '../../../test/stopped-clock.ts';

const POLL_MS = 20;

/** Job queues on the stores of one database. They share a clock. */
export interface TimedJobQueues {
  /** Opens a queue on its own store. */
  readonly open: () => Promise<TimedJobQueue>;
  readonly restoreClock: () => void;
}

/** Opens job queues for the contract suite. `connect` opens a store on the database. */
export const timedJobQueues = (connect: () => Promise<JobStore>): TimedJobQueues => {
  const clock = stopClock();
  const calls = new Set<Promise<unknown>>(); // of all stores, not answered yet

  const watched = (store: JobStore): JobStore =>
    new Proxy(store, {
      get: (target, name) => {
        const own: unknown = Reflect.get(target, name);
        if (typeof own !== 'function') return own;
        return (...given: unknown[]): Promise<unknown> => {
          const call: Promise<unknown> = own.apply(target, given);
          const forget = (): void => void calls.delete(call);
          calls.add(call);
          call.then(forget, forget);
          return call;
        };
      },
    });

  // Timers of one duration fire in the order in which they were set. So each worker polls once per delay, and the calls
  // of this poll are among those that are not answered yet.
  const polled = async (): Promise<void> => {
    for (let polls = 0; polls < 2; polls++) {
      await delay(POLL_MS);
      await Promise.allSettled(calls);
    }
  };

  return {
    open: async () => ({
      jobs: new AgendaJobQueue(watched(await connect()), { pollMs: POLL_MS, heartbeatMs: 50 }),
      now: clock.now,
      advance: clock.advance,
      polled,
    }),
    restoreClock: clock.restore,
  };
};
