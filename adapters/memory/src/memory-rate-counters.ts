import { plusMs, type Clock, type CountedWindow, type RateCounters } from '@palimpsest/core';
import type { MemoryStore } from './memory-store.ts';

const FIRST_CLEANUP_SIZE = 1024;

/** Rate counters in memory. The given clock decides when a window ends. */
export class MemoryRateCounters implements RateCounters {
  readonly #store: MemoryStore;
  readonly #clock: Clock;
  #cleanupSize = FIRST_CLEANUP_SIZE;

  constructor(store: MemoryStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async hit(key: string, windowMs: number): Promise<CountedWindow> {
    const open = this.#openWindow(key);
    if (open === undefined) this.#removeEnded();
    const counted: CountedWindow = {
      count: (open?.count ?? 0) + 1,
      endsAt: open?.endsAt ?? plusMs(this.#clock.now(), windowMs),
    };
    this.#store.rateWindows.set(key, counted);
    return { ...counted };
  }

  async peek(key: string): Promise<CountedWindow | undefined> {
    return structuredClone(this.#openWindow(key));
  }

  async decrement(key: string): Promise<void> {
    const open = this.#openWindow(key);
    if (open === undefined) return;
    if (open.count === 1) this.#store.rateWindows.delete(key);
    else this.#store.rateWindows.set(key, { ...open, count: open.count - 1 });
  }

  async clear(key: string): Promise<void> {
    this.#store.rateWindows.delete(key);
  }

  #openWindow(key: string): CountedWindow | undefined {
    const found = this.#store.rateWindows.get(key);
    return found !== undefined && found.endsAt > this.#clock.now() ? found : undefined;
  }

  // Works only when the number of windows has doubled, so that the mean cost of a hit does not grow with their number.
  #removeEnded(): void {
    const windows = this.#store.rateWindows;
    if (windows.size < this.#cleanupSize) return;
    const now = this.#clock.now();
    for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key);
    this.#cleanupSize = Math.max(FIRST_CLEANUP_SIZE, windows.size * 2);
  }
}
