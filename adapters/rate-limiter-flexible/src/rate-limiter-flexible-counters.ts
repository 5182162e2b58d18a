import { hash } from 'node:crypto';
import { plusMs, type Clock, type CountedWindow, type RateCounters } from '@palimpsest/core';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { WindowRes } from './window-res.ts';

/**
 * A limiter whose results are `WindowRes`, and whose `reward` never takes more than was counted and leaves no window
 * without a count, whoever else counts at the time.
 */
export type WindowLimiter = Pick<RateLimiterAbstract, 'penalty' | 'reward' | 'get' | 'delete'>;

const LONGEST_WINDOW_MS = 25 * 3_600_000;

// A store may fold, cut or replace what is odd in a text, and a key may hold an address that is nobody's business.
const storedKey = (key: string): string => hash('sha256', Buffer.from(key, 'utf16le'), 'base64url');

// A limiter multiplies by 1000 again and may get 1000.9999999999999 for 1001, of which a timer makes 1000. The least that
// can be added keeps it from falling short, and is lost when the moment of the end is rounded.
const limiterSeconds = (windowMs: number): number => (windowMs / 1000) * (1 + Number.EPSILON);

/** The wall clock, by which limiters count. */
export const wallClock: Clock = { now: () => plusMs(0, Date.now()) };

/**
 * Rate counters on a limiter of rate-limiter-flexible. Its windows last by the wall clock; their ends are told by the
 * clock given, which may be apart from it, as one that never goes back is after the wall clock was set back.
 */
export class RateLimiterFlexibleCounters implements RateCounters {
  readonly #limiter: WindowLimiter;
  readonly #clock: Clock;

  constructor(limiter: WindowLimiter, clock: Clock = wallClock) {
    this.#limiter = limiter;
    this.#clock = clock;
  }

  async hit(key: string, windowMs: number): Promise<CountedWindow> {
    // A window of 0 would never end.
    if (!(windowMs >= 1 && windowMs <= LONGEST_WINDOW_MS)) throw new TypeError(`A window of ${windowMs} ms`);
    return this.#windowOf(await this.#limiter.penalty(storedKey(key), 1, { customDuration: limiterSeconds(windowMs) }));
  }

  async peek(key: string): Promise<CountedWindow | undefined> {
    const res = await this.#limiter.get(storedKey(key));
    return res === null ? undefined : this.#windowOf(res);
  }

  async takeBack(key: string): Promise<void> {
    await this.#limiter.reward(storedKey(key), 1);
  }

  async clear(key: string): Promise<void> {
    await this.#limiter.delete(storedKey(key));
  }

  #windowOf(res: RateLimiterRes): CountedWindow {
    if (!(res instanceof WindowRes)) throw new TypeError('The limiter does not tell when windows end');
    return { count: res.consumedPoints, endsAt: plusMs(this.#clock.now(), res.endsAtMs - Date.now()) };
  }
}
