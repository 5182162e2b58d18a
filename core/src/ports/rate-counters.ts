import type { CountedWindow } from '../rate-limit/limit-state.ts';

/**
 * Counts what happens in fixed windows of time, for every process of the service together. Any string is a key. Counts
 * need not survive a power cut, but the end of any process.
 */
export interface RateCounters {
  /**
   * Counts one more in the open window of `key`, or opens a window of `windowMs` (1 ms to 25 hours) with it if none is
   * open. Resolves with the count, this one included. Atomic: of concurrent calls each gets a count of its own, and one
   * alone opens a window.
   */
  hit(key: string, windowMs: number): Promise<CountedWindow>;
  /** The open window of `key`, `undefined` if there is none. */
  peek(key: string): Promise<CountedWindow | undefined>;
  /** Takes one hit back from the open window; without one, or when nothing is counted any more, there is no window. */
  takeBack(key: string): Promise<void>;
  /** Ends the window of `key`. Ending none succeeds. */
  clear(key: string): Promise<void>;
}
