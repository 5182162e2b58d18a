import { FairSemaphore, plusMs, type Clock, type CountedWindow, type RateCounters } from '@palimpsest/core';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { checkWindowMs } from './counted-windows.ts';

// The limiter multiplies by 1000 again. Without the added epsilon it gets 1000.9999999999999 for 1001, and its timer
// would end the window one millisecond too early.
const limiterSeconds = (windowMs: number): number => (windowMs / 1000) * (1 + Number.EPSILON);

/**
 * Rate counters in the memory of this process, on `RateLimiterMemory`. The limiter deletes ended windows with timers
 * that do not keep the process alive.
 */
export class MemoryRateCounters implements RateCounters {
  // The limiter's own limit is not used: callers compare the count with their limit.
  readonly #limiter = new RateLimiterMemory({ points: 1, duration: 1, keyPrefix: '' });
  readonly #locks = new FairSemaphore({ slotsPerOwner: 1 }); // per key, because `decrement` reads and then writes
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async hit(key: string, windowMs: number): Promise<CountedWindow> {
    checkWindowMs(windowMs);
    const options = { customDuration: limiterSeconds(windowMs) };
    return await this.#locks.run(key, async () => this.#windowOf(await this.#limiter.penalty(key, 1, options)));
  }

  async peek(key: string): Promise<CountedWindow | undefined> {
    const found = await this.#limiter.get(key);
    return found === null || found.msBeforeNext <= 0 ? undefined : this.#windowOf(found);
  }

  async decrement(key: string): Promise<void> {
    await this.#locks.run(key, async () => {
      const { count = 0 } = (await this.peek(key)) ?? {};
      // The limiter's `reward` alone would open a window with a negative count if none is open.
      if (count > 1) await this.#limiter.reward(key, 1);
      else await this.#limiter.delete(key);
    });
  }

  async clear(key: string): Promise<void> {
    await this.#locks.run(key, () => this.#limiter.delete(key));
  }

  #windowOf({ consumedPoints, msBeforeNext }: RateLimiterRes): CountedWindow {
    return { count: consumedPoints, endsAt: plusMs(this.#clock.now(), Math.round(msBeforeNext)) };
  }
}
