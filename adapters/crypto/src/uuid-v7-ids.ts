import { randomBytes } from 'node:crypto';
import type { IdGenerator } from '@palimpsest/core';

const RANDOM_BITS = 74n;
const MAX_RANDOM = (1n << RANDOM_BITS) - 1n;

const random = (bytes: number): bigint => BigInt(`0x${randomBytes(bytes).toString('hex')}`);

const format = (ms: number, randomPart: bigint): string => {
  const randA = randomPart >> 62n; // 12 bits
  const randB = randomPart & ((1n << 62n) - 1n);
  const value = (BigInt(ms) << 80n) | (0x7n << 76n) | (randA << 64n) | (0b10n << 62n) | randB;
  const hex = value.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

/**
 * UUIDs version 7 in ascending order within the process, which `crypto.randomUUIDv7` does not promise. Within one
 * millisecond, and after the clock was set back, a new id adds a random step of up to 2^32 to the 74 random bits of the
 * last id (RFC 9562, section 6.2, method 2).
 */
export class UuidV7Ids implements IdGenerator {
  readonly #nowMs: () => number;
  #lastMs = -1;
  #last = 0n;

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs;
  }

  next(): string {
    const ms = this.#nowMs();
    const raised = this.#last + 1n + random(4);
    if (ms > this.#lastMs) {
      this.#startAt(ms);
    } else if (raised > MAX_RANDOM) {
      this.#startAt(this.#lastMs + 1);
    } else {
      this.#last = raised;
    }
    return format(this.#lastMs, this.#last);
  }

  /** The highest random bit starts as 0, so that there is room to count upwards. */
  #startAt(ms: number): void {
    this.#lastMs = ms;
    this.#last = random(10) & (MAX_RANDOM >> 1n);
  }
}
