import type { Cancellation, Instant } from '../units.ts';

/** The data of a job, as a flat JSON object. */
export type JobPayload = { readonly [key: string]: string | number | boolean | null };

/** A running job. `signal` aborts when the worker stops and its grace period is over. */
export interface RunningJob {
  readonly payload: JobPayload;
  readonly signal: Cancellation;
}

/** The result of a run: the job is done, or it runs again, not before the given moment. */
export type JobOutcome = 'done' | { readonly retryAt: Instant };
