import type { Cancellation, Instant } from '../units.ts';

/** Data of a job: what JSON can hold. */
export type JobPayload = { readonly [key: string]: string | number | boolean | null };

/** A job being run. `signal` is aborted when the worker is told to stop and its grace is over. */
export interface RunningJob {
  readonly payload: JobPayload;
  readonly signal: Cancellation;
}

/** What became of a job: it is over, or it is to run again, not before the moment given. */
export type JobOutcome = 'done' | { readonly retryAt: Instant };

/** How the jobs of one kind are run: at most `concurrency` at once in this worker. */
export interface JobHandler {
  readonly concurrency: number;
  run(job: RunningJob): Promise<JobOutcome>;
}

/** A running worker. */
export interface JobWorker {
  /**
   * Takes no more jobs, waits up to `graceMs` for the running ones, then aborts their signals and waits for the
   * handlers to return. Jobs not begun, and jobs that ended in `retryAt`, are there for other workers at once.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Keeps jobs until they are done and has them run, each at least once: once, unless its process dies. Any number of
 * processes may enqueue and work on the same store.
 */
export interface JobQueue {
  /** Adds a job of a kind (`^[a-z][a-z-]*$`), durably before it resolves; it runs at `notBefore` at the earliest. */
  enqueue(kind: string, payload: JobPayload, notBefore?: Instant): Promise<void>;
  /** How many jobs of this kind wait to be run, due or not; those that run now do not count. */
  countWaiting(kind: string): Promise<number>;
  /** How many of them could run now. */
  countDue(kind: string): Promise<number>;
  /**
   * Runs the jobs of the kinds named until the worker is stopped. A due job starts within about a second, whichever
   * process added it. A handler that throws is given to `onError` and its job runs again after a few seconds. The job of
   * a process that died runs again within about a minute, and never while its handler is alive in a process that is.
   */
  work(
    handlers: Readonly<Record<string, JobHandler>>,
    onError: (error: unknown, kind: string) => void,
  ): Promise<JobWorker>;
}
