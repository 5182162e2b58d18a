import type { Clock, Instant } from '@palimpsest/core';

const readWall = (): Instant => Date.now() * 1000; // changes once per millisecond
const readMonotonic = (): number => Number(process.hrtime.bigint() / 1000n);

const WALL_STEP = 1000;

/**
 * The system time in microseconds: the wall clock, interpolated with a monotonic clock between its milliseconds. It never
 * goes back. It follows at once when the wall clock is set forward (or the machine slept). When the wall clock is set
 * back, it runs at half speed until both agree, so that leases and timeouts still end: after a step back of one hour, it
 * agrees again two hours later.
 */
export class SystemClock implements Clock {
  readonly #readWall: () => Instant;
  readonly #readMonotonic: () => number;
  #last: Instant;
  #lastMonotonic: number;

  /** `wall` is in microseconds since the epoch, `monotonic` in microseconds since any moment. */
  constructor({ wall = readWall, monotonic = readMonotonic }: { wall?: () => Instant; monotonic?: () => number } = {}) {
    this.#readWall = wall;
    this.#readMonotonic = monotonic;
    this.#last = wall();
    this.#lastMonotonic = monotonic();
  }

  now(): Instant {
    const monotonic = this.#readMonotonic();
    const elapsed = monotonic - this.#lastMonotonic;
    const wall = this.#readWall();
    const expected = this.#last + elapsed;
    const isAhead = expected > wall + 2 * WALL_STEP;
    this.#last = Math.max(wall, isAhead ? this.#last + Math.floor(elapsed / 2) : expected);
    this.#lastMonotonic = monotonic;
    return this.#last;
  }
}
