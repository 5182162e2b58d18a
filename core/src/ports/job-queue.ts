import type { JobOutcome, JobPayload, RunningJob } from '../jobs/job.ts';
import type { Instant } from '../units.ts';

/** How a worker runs the jobs of one kind. */
export interface JobHandler {
  readonly concurrency: number; // runs at once in this worker, 1 or more
  readonly everyMs?: number; // the interval of the recurring job of this kind, 1 or more; absent: no recurring job
  run(job: RunningJob): Promise<JobOutcome>;
}

/** A running worker. */
export interface JobWorker {
  /**
   * Starts no more jobs, waits up to `graceMs` for the running ones, then aborts their signals and waits until the
   * handlers return. When it resolves, other workers can run the jobs that were not started and the jobs that ended in
   * `retryAt`.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Stores jobs until they are done and runs each job at least once: exactly once, unless its process dies or loses the
 * connection to the store. Any number of processes may enqueue and work on the same store.
 */
export interface JobQueue {
  /** Adds a job of a kind (`^[a-z][a-z-]*$`), durably before it resolves. It runs at `notBefore` at the earliest. */
  enqueue(kind: string, payload: JobPayload, notBefore?: Instant): Promise<void>;
  /**
   * Runs the jobs of the given kinds until the worker is stopped. A due job starts within about a second, also if
   * another process added it. An error of a handler is passed to `onError`, and the job runs again after a few seconds.
   * The job of a process that died runs again within about a minute, and never while its handler runs in a live
   * process.
   *
   * A handler with `everyMs` also runs one recurring job, with an empty payload. The store contains this job once for
   * all workers, so it runs in one worker at a time. The first run starts as soon as the first worker has added the job
   * to the store. Each later run starts `everyMs` after the start of the previous run, or at the end of that run if it
   * took longer; a run that ends in `retryAt` or in an error is repeated first, as for any job. A restart does not make
   * it run earlier. When a worker starts with another `everyMs`, the next run starts at most `everyMs` later, and later
   * runs follow the new interval.
   */
  work(
    handlers: Readonly<Record<string, JobHandler>>,
    onError: (error: unknown, kind: string) => void,
  ): Promise<JobWorker>;
}
