import { mock } from 'node:test';
import { plusMs, type Instant } from '@palimpsest/core';

/** The wall clock of this process, stopped until a test moves it. */
export interface StoppedClock {
  readonly advance: (ms: number) => void;
  readonly now: () => Instant;
  readonly restore: () => void;
}

/** How a clock is stopped. */
export interface StopOptions {
  readonly nowMs?: number; // default: the present time
  readonly timers?: readonly ('setTimeout' | 'setInterval')[]; // stopped together with the clock; default: none
}

export const stopClock = ({ nowMs = Date.now(), timers = [] }: StopOptions = {}): StoppedClock => {
  mock.timers.enable({ apis: ['Date', ...timers], now: nowMs });
  return {
    advance: (ms) => mock.timers.tick(ms),
    now: () => plusMs(0, Date.now()),
    restore: () => mock.timers.reset(),
  };
};
