import { mock } from 'node:test';
import { plusMs, type Instant } from '@palimpsest/core';

/** Where it stands: later than any server clears away, by its own clock, what has ended. */
export const STOOD_AT_MS = 4_102_444_800_123;

/** The system's clock, and the timers of the process, which stand until they are moved. `reset` lets them run again. */
export interface StoodClock {
  readonly advance: (ms: number) => void;
  /** Sets it, to an earlier moment as well. */
  readonly set: (epochMs: number) => void;
  readonly now: () => Instant;
  readonly reset: () => void;
}

export const standClock = (timers: readonly ('setTimeout' | 'setInterval')[] = []): StoodClock => {
  mock.timers.enable({ apis: ['Date', ...timers], now: STOOD_AT_MS });
  return {
    advance: (ms) => mock.timers.tick(ms),
    set: (epochMs) => mock.timers.setTime(epochMs),
    now: () => plusMs(0, Date.now()),
    reset: () => mock.timers.reset(),
  };
};
