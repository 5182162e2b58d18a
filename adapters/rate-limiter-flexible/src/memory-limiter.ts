import { RateLimiterMemory } from 'rate-limiter-flexible';
import { WindowRes } from './window-res.ts';

interface MemoryRecord {
  value: number;
  readonly expiresAt: number; // milliseconds since the epoch
}

declare module 'rate-limiter-flexible' {
  // Left out of the types of 11.4.0. What it does is done when it returns.
  interface RateLimiterMemory {
    readonly _memoryStorage: {
      readonly _storage: ReadonlyMap<string, MemoryRecord>;
      delete(key: string): boolean;
    };
  }
}

/**
 * Counts in the memory of the process. Windows that ended are forgotten by timers, which keep no process alive.
 * `reward` does not open a window with a count below zero, as that of `RateLimiterMemory` does: nothing here waits
 * between its look and its change.
 */
export class MemoryLimiter extends RateLimiterMemory {
  constructor() {
    // Points and duration are never used: the callers have the limits, and say how long each window is.
    super({ points: 1, duration: 1, keyPrefix: '' });
  }

  override async penalty(key: string | number, points = 1, options: Record<string, unknown> = {}): Promise<WindowRes> {
    const counted = super.penalty(key, points, options);
    const record = this._memoryStorage._storage.get(this.getKey(key));
    const window = new WindowRes(record?.value ?? points, record?.expiresAt ?? Date.now());
    await counted;
    return window;
  }

  override async reward(key: string | number, points = 1): Promise<WindowRes> {
    const open = this.#openRecord(key);
    if (open === undefined) return new WindowRes(0, Date.now());
    if (open.value <= points) {
      this._memoryStorage.delete(this.getKey(key));
      return new WindowRes(0, open.expiresAt);
    }
    open.value -= points;
    return new WindowRes(open.value, open.expiresAt);
  }

  override async get(key: string | number): Promise<WindowRes | null> {
    const open = this.#openRecord(key);
    return open === undefined ? null : new WindowRes(open.value, open.expiresAt);
  }

  #openRecord(key: string | number): MemoryRecord | undefined {
    const found = this._memoryStorage._storage.get(this.getKey(key));
    return found !== undefined && found.expiresAt > Date.now() ? found : undefined;
  }
}
