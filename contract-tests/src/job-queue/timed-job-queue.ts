import type { Instant, JobQueue } from '@palimpsest/core';

/** A job queue with the clock of its due times and locks. The clock stays at a whole millisecond until the test moves it. */
export interface TimedJobQueue {
  readonly jobs: JobQueue;
  readonly now: () => Instant;
  /** Moves the clock forward by milliseconds. */
  readonly advance: (ms: number) => void;
  /**
   * Resolves when the ends of all runs whose handlers have returned are stored, and each worker of any handle has
   * looked at the store completely twice since the call.
   */
  readonly polled: () => Promise<void>;
}
