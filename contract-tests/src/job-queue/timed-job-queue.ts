import type { Instant, JobQueue, JobWorker } from '@palimpsest/core';
import type { recorder } from './recorder.ts';

/** A job queue with the clock of its due times. The clock stands, at a whole millisecond, until the test moves it. */
export interface TimedJobQueue {
  readonly jobs: JobQueue;
  readonly now: () => Instant;
  /** Moves the clock forward by milliseconds. */
  readonly advance: (ms: number) => void;
}

/** What the tests of one queue share: its errors, and workers and recorders that end with the test. */
export interface JobTest {
  readonly opened: () => { readonly subject: TimedJobQueue };
  readonly errors: readonly { readonly error: unknown; readonly kind: string }[];
  readonly work: (jobs: JobQueue, handlers: Parameters<JobQueue['work']>[0]) => Promise<JobWorker>;
  readonly recorder: typeof recorder;
}

/** Real time for something that must not happen. On a slow machine the test sees less, but it does not fail. */
export const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));
