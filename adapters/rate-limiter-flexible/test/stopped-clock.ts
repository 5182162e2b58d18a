import { mock } from 'node:test';
import { plusMs, type Instant } from '@palimpsest/core';

// Later than the real time, so that a MongoDB server does not delete windows that have not ended by this clock.
const STOPPED_AT_MS = 4_102_444_800_123;

/** The wall clock and the timers of this process, stopped until a test moves them. */
export interface StoppedClock {
  readonly advance: (ms: number) => void;
  readonly now: () => Instant;
  readonly restore: () => void;
}

export const stopClock = (timers: readonly ('setTimeout' | 'setInterval')[] = []): StoppedClock => {
  mock.timers.enable({ apis: ['Date', ...timers], now: STOPPED_AT_MS });
  return {
    advance: (ms) => mock.timers.tick(ms),
    now: () => plusMs(0, Date.now()),
    restore: () => mock.timers.reset(),
  };
};
