import { setTimeout as delay } from 'node:timers/promises';
import { MemoryClock, MemoryJobQueue, type MemoryStore } from '@palimpsest/memory';
import type { TimedJobQueue } from '../../src/index.ts';

const POLL_MS = 10;
const clocks = new WeakMap<MemoryStore, MemoryClock>();

/** The clock that all queues on `store` share. */
export const clockOf = (store: MemoryStore): MemoryClock => {
  const clock = clocks.get(store) ?? new MemoryClock();
  clocks.set(store, clock);
  return clock;
};

/** A queue on `store`. */
export const openJobQueue = (store: MemoryStore): TimedJobQueue => {
  const clock = clockOf(store);
  return {
    jobs: new MemoryJobQueue(store, { clock, pollMs: POLL_MS }),
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
    // Timers of one duration fire in the order in which they were set. So each worker polls once per delay.
    polled: async () => {
      for (let polls = 0; polls < 2; polls++) await delay(POLL_MS);
    },
  };
};
