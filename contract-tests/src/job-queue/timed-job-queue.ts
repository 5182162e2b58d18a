import type { Instant, JobQueue, JobWorker } from '@palimpsest/core';
import type { recorder } from './recorder.ts';

/** A job queue with the clock of its due times. The clock stays at a whole millisecond until the test moves it. */
export interface TimedJobQueue {
  readonly jobs: JobQueue;
  readonly now: () => Instant;
  /** Moves the clock forward by milliseconds. */
  readonly advance: (ms: number) => void;
}

/** The parts that the tests of one queue share: its errors, and workers and recorders that end with the test. */
export interface JobTest {
  readonly opened: () => { readonly subject: TimedJobQueue };
  readonly errors: readonly { readonly error: unknown; readonly kind: string }[];
  readonly work: (jobs: JobQueue, handlers: Parameters<JobQueue['work']>[0]) => Promise<JobWorker>;
  readonly recorder: typeof recorder;
}

/**
 * Waits some real time, in which an incorrect queue would do something that it must not do. On a slow machine the wait may
 * miss that, but it never fails a correct queue.
 */
export const waitBriefly = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));
