import type { JobHandler, JobOutcome, JobPayload, RunningJob } from '@palimpsest/core';

/** One recorded run of a job. */
export interface JobRun {
  readonly payload: JobPayload;
  readonly signal: RunningJob['signal'];
  readonly end: (outcome: JobOutcome) => void;
  readonly fail: (error: unknown) => void;
}

/** A handler that records its runs. */
export interface Recorder {
  readonly handler: JobHandler;
  readonly runs: readonly JobRun[];
  readonly running: () => number;
  readonly mostAtOnce: () => number;
  /** The `n` of the payloads of all runs, ascending. */
  readonly numbers: () => readonly number[];
}

/** Ends each run at once with the outcome of `answer`; without `answer`, the test ends the runs. */
export const recorder = (
  limits: Omit<JobHandler, 'run'>,
  answer?: (run: JobRun) => JobOutcome | Promise<JobOutcome>,
): Recorder => {
  const runs: JobRun[] = [];
  let running = 0;
  let mostAtOnce = 0;
  return {
    runs,
    running: () => running,
    mostAtOnce: () => mostAtOnce,
    numbers: () => runs.map(({ payload }) => Number(payload['n'])).sort((a, b) => a - b),
    handler: {
      ...limits,
      run: async ({ payload, signal }) => {
        const gate = Promise.withResolvers<JobOutcome>();
        const run: JobRun = { payload, signal, end: gate.resolve, fail: gate.reject };
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
