import { plusMs, type Clock, type Instant } from '@palimpsest/core';

/** A clock that stands until it is moved. Without a start it begins at 2026-11-21T09:30:00Z. */
export class MemoryClock implements Clock {
  #now: Instant;

  constructor(start: Instant = 1_795_253_400_000_000) {
    this.#now = start;
  }

  now(): Instant {
    return this.#now;
  }

  /** Moves the clock on by milliseconds, 0 or more. */
  advance(ms: number): void {
    this.set(plusMs(this.#now, ms));
  }

  /** Sets the clock. An earlier moment is a `TypeError`, as a clock never goes back. */
  set(now: Instant): void {
    if (now < this.#now) throw new TypeError('A clock never goes back');
    this.#now = now;
  }
}
