import type { Instant, JobQueue } from '@palimpsest/core';

/** A job queue with the clock of its due times. The clock stays at a whole millisecond until the test moves it. */
export interface TimedJobQueue {
  readonly jobs: JobQueue;
  readonly now: () => Instant;
  /** Moves the clock forward by milliseconds. */
  readonly advance: (ms: number) => void;
}
