import type { CountedWindow } from '../rate-limit/limit-state.ts';

/**
 * Counts events in fixed time windows, for all processes of the service together. Any string is a key. Counts survive
 * the end of a process, but need not survive a power failure. While the store cannot be reached, no call throws, and
 * the process counts the events in its own memory.
 */
export interface RateCounters {
  /**
   * Adds one to the open window of `key`, or opens a window of `windowMs` (1 ms to 25 hours) if none is open. Resolves
   * with the new count. Atomic: each of several concurrent calls gets a different count, and exactly one opens a
   * window.
   */
  hit(key: string, windowMs: number): Promise<CountedWindow>;
  /** The open window of `key`, `undefined` if none is open. */
  peek(key: string): Promise<CountedWindow | undefined>;
  /** Subtracts one from the count of the open window; at 0 the window is closed. No effect without an open window. */
  decrement(key: string): Promise<void>;
  /** Closes the window of `key`. No effect without an open window. */
  clear(key: string): Promise<void>;
}
