import type { JobHandler, JobOutcome, JobPayload, RunningJob } from '@palimpsest/core';

/** Now by the machine's clock, in microseconds. */
export const machineNow = (): number => Date.now() * 1000;

/** One run of a job as a {@link Recorder} saw it. */
export interface Run {
  readonly payload: JobPayload;
  readonly signal: RunningJob['signal'];
  readonly beganAt: number; // microseconds since the epoch
  readonly end: (outcome: JobOutcome) => void;
  readonly fail: (error: unknown) => void;
}

/** A handler that keeps a record of what it runs. */
export interface Recorder {
  readonly handler: JobHandler;
  readonly runs: readonly Run[];
  readonly running: () => number;
  readonly mostAtOnce: () => number;
  /** The `n` of the payloads run, ascending. */
  readonly numbers: () => readonly number[];
}

/** Ends each run at once by `answer`, or leaves it to the test where there is none. */
export const recorder = (concurrency: number, answer?: (run: Run) => JobOutcome | Promise<JobOutcome>): Recorder => {
  const runs: Run[] = [];
  let running = 0;
  let mostAtOnce = 0;
  return {
    runs,
    running: () => running,
    mostAtOnce: () => mostAtOnce,
    numbers: () => runs.map(({ payload }) => Number(payload['n'])).sort((a, b) => a - b),
    handler: {
      concurrency,
      run: async ({ payload, signal }) => {
        const gate = Promise.withResolvers<JobOutcome>();
        const run: Run = { payload, signal, beganAt: machineNow(), end: gate.resolve, fail: gate.reject };
        mostAtOnce = Math.max(mostAtOnce, ++running);
        runs.push(run);
        try {
          return await (answer === undefined ? gate.promise : answer(run));
        } finally {
          running--;
        }
      },
    },
  };
};
