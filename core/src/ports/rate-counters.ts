import type { CountedWindow } from '../rate-limit/limit-state.ts';

/**
 * Counts events in fixed time windows, for all processes of the service together. Any string is a key. Counts survive
 * the end of a process, but need not survive a power failure. While the backend is unreachable, no call throws: the
 * events are counted in this process.
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
  /** Subtracts one from the open window; at 0 the window is closed. Without an open window it has no effect. */
  takeBack(key: string): Promise<void>;
  /** Closes the window of `key`. Without an open window it has no effect. */
  clear(key: string): Promise<void>;
}
