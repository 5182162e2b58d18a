import type { JobQueue, JobWorker } from '@palimpsest/core';
import type { recorder } from './recorder.ts';
import type { TimedJobQueue } from './timed-job-queue.ts';

/** The parts that the tests of one queue share: its errors, and workers and recorders that end with the test. */
export interface JobTest {
  readonly opened: () => { readonly subject: TimedJobQueue };
  readonly errors: readonly { readonly error: unknown; readonly kind: string }[];
  readonly work: (jobs: JobQueue, handlers: Parameters<JobQueue['work']>[0]) => Promise<JobWorker>;
  readonly recorder: typeof recorder;
  /** The numbers of all jobs that a new worker runs, when `count` have run and no more follow. */
  readonly numbersRun: (jobs: JobQueue, count: number, kind?: string) => Promise<readonly number[]>;
  readonly polled: TimedJobQueue['polled'];
}

/** Enough time for a job to run again after an error; the port promises `a few seconds`. */
export const AFTER_ERROR_MS = 15_000;

/** The numbers from 0 to `count - 1`. */
export const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

/** Adds `count` jobs of the kind `read` with the numbers from 0. */
export const enqueueAll = async (jobs: JobQueue, count: number): Promise<void> => {
  for (const n of numbersTo(count)) await jobs.enqueue('read', { n });
};

/** The outcome of a job that is done. */
export const done = (): 'done' => 'done';
