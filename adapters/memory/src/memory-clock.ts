import { plusMs, type Cancellation, type Clock, type Instant, type Timer } from '@palimpsest/core';

/**
 * A clock that changes only by `advance` and `set`, and a timer that uses this clock. It starts at 2026-11-21T09:30:00Z
 * by default.
 */
export class MemoryClock implements Clock, Timer {
  readonly #waits = new Map<() => void, Instant>(); // the end of each wait, by the function that ends it
  #now: Instant;

  constructor(start: Instant = 1_795_253_400_000_000) {
    this.#now = start;
  }

  now(): Instant {
    return this.#now;
  }

  async wait(ms: number, signal: Cancellation): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waits.set(resolve, plusMs(this.#now, ms));
    signal.addEventListener('abort', resolve, { once: true });
    this.#endWaits();
    await promise;
    this.#waits.delete(resolve);
    signal.removeEventListener('abort', resolve);
  }

  /**
   * Moves the clock forward by `ms` milliseconds and ends the waits that are due. A negative number is a `TypeError`.
   */
  advance(ms: number): void {
    this.set(plusMs(this.#now, ms));
  }

  /** Sets the clock. An earlier moment is a `TypeError`, because a clock never goes back. */
  set(now: Instant): void {
    if (now < this.#now) throw new TypeError('A clock never goes back');
    this.#now = now;
    this.#endWaits();
  }

  #endWaits(): void {
    for (const [end, endsAt] of this.#waits) if (endsAt <= this.#now) end();
  }
}
