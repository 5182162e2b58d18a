import type { Clock } from '../ports/clock.ts';
import type { Timekeeper } from './open-pages.ts';

/** Adds up the time of all tasks that it runs. */
export interface Stopwatch {
  readonly ms: () => number;
  readonly time: Timekeeper;
}

/** A stopwatch at 0, whose tasks may overlap: their times add up. */
export const startStopwatch = (clock: Clock): Stopwatch => {
  let micros = 0;
  return {
    ms: () => micros / 1000,
    time: async (task) => {
      const begun = clock.now();
      try {
        return await task();
      } finally {
        micros += clock.now() - begun;
      }
    },
  };
};
