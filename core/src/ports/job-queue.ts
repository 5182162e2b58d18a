import type { Cancellation, Instant } from '../units.ts';

/** The data of a job: what JSON can hold. */
export type JobPayload = { readonly [key: string]: string | number | boolean | null };

/** A running job. `signal` aborts when the worker stops and its grace period is over. */
export interface RunningJob {
  readonly payload: JobPayload;
  readonly signal: Cancellation;
}

/** The result of a run: the job is done, or it runs again, not before the given moment. */
export type JobOutcome = 'done' | { readonly retryAt: Instant };

/** How a worker runs the jobs of one kind. */
export interface JobHandler {
  readonly concurrency: number; // runs at once in this worker, 1 or more
  readonly everyMs?: number; // the interval of the recurring job of this kind, 1 or more; without it there is none
  run(job: RunningJob): Promise<JobOutcome>;
}

/** A running worker. */
export interface JobWorker {
  /**
   * Takes no more jobs, waits up to `graceMs` for the running ones, then aborts their signals and waits for the
   * handlers to return. Jobs that were not started, and jobs that ended in `retryAt`, are available to other workers
   * when this resolves.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Stores jobs until they are done and runs each at least once: exactly once, unless its process dies or loses the store.
 * Any number of processes may enqueue and work on the same store.
 */
export interface JobQueue {
  /** Adds a job of a kind (`^[a-z][a-z-]*$`), durably before it resolves. It runs at `notBefore` at the earliest. */
  enqueue(kind: string, payload: JobPayload, notBefore?: Instant): Promise<void>;
  /**
   * Runs the jobs of the given kinds until the worker is stopped. A due job starts within about a second, whichever
   * process added it. An error of a handler goes to `onError`, and the job runs again after a few seconds. The job of
   * a process that died runs again within about a minute, and never while its handler runs in a live process.
   *
   * A handler with `everyMs` also runs one recurring job, with an empty payload. The store holds it once for all
   * workers, so it runs in one worker at a time. The first run starts when the store first learns of it. Each later run
   * starts `everyMs` after the start of the one before, or at its end if it took longer; a run that ends in `retryAt`
   * or in an error is repeated first, as for any job. A restart does not run it earlier. When a worker starts with
   * another `everyMs`, the next run is at most that far away, and later runs follow the new interval.
   */
  work(
    handlers: Readonly<Record<string, JobHandler>>,
    onError: (error: unknown, kind: string) => void,
  ): Promise<JobWorker>;
}
