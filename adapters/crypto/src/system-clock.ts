import type { Clock, Instant } from '@palimpsest/core';

const readWall = (): Instant => Date.now() * 1000; // in steps of a millisecond
const readMonotonic = (): number => Number(process.hrtime.bigint() / 1000n);

const WALL_STEP = 1000;

/**
 * The system's time in microseconds: the wall clock, with a monotonic clock between its milliseconds. A wall clock that
 * is set forward (or a machine that slept) is followed at once. One that is set back is approached at half speed, so
 * that leases and time-outs still end and no answer is earlier than one before: after a step back by an hour the clock
 * is right again two hours later.
 */
export class SystemClock implements Clock {
  readonly #readWall: () => Instant;
  readonly #readMonotonic: () => number;
  #last: Instant;
  #lastMonotonic: number;

  /** `wall` is in microseconds since the epoch, `monotonic` in microseconds since anything. */
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
