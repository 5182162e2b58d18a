import type { Cancellation } from '../units.ts';

/** Waits for a duration. */
export interface Timer {
  /**
   * Resolves after `ms` milliseconds (0 or more), never earlier, or as soon as `signal` is aborted. Never rejects. Any
   * number of waits may overlap.
   */
  wait(ms: number, signal: Cancellation): Promise<void>;
}
