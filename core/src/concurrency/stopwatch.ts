import type { Instant } from '../units.ts';

/** Adds up the durations of all tasks that it runs. */
export interface Stopwatch {
  readonly ms: () => number;
  readonly time: <T>(task: () => Promise<T>) => Promise<T>;
}

/** A stopwatch at 0. Its tasks may overlap: each of them adds its whole duration. */
export const startStopwatch = (now: () => Instant): Stopwatch => {
  let micros = 0;
  return {
    ms: () => micros / 1000,
    time: async (task) => {
      const startedAt = now();
      try {
        return await task();
      } finally {
        micros += now() - startedAt;
      }
    },
  };
};
