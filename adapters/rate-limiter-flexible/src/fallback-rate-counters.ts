import { CircuitBreaker, untilAborted, type Clock, type CountedWindow, type RateCounters } from '@palimpsest/core';
import { checkWindowMs } from './counted-windows.ts';
import { MemoryRateCounters } from './memory-rate-counters.ts';

const MINUTE_MS = 60_000;

/** The options for the time while the store is down. */
export interface FallbackOptions {
  readonly timeoutMs?: number; // of one call to the store; default 3000
  readonly openMs?: number; // how long calls skip the store after a failure; default 5000
  readonly nowMs?: () => number; // a monotonic clock; default `performance.now`
  readonly onFault?: (error: unknown) => void; // called at most once a minute; must not throw
}

/** Open rate counters. */
export interface OpenRateCounters {
  readonly rateCounters: RateCounters;
  /** Ends the use of the store. Afterwards the caller can close the client. Safe to repeat. */
  readonly close: () => void;
}

/**
 * Rate counters that never fail: while the store is down, this process counts in its own memory, starting at 0. After a
 * failure a circuit breaker keeps calls from waiting for the store again.
 */
export class FallbackRateCounters implements RateCounters {
  readonly #store: RateCounters;
  readonly #memory: RateCounters;
  readonly #breaker: CircuitBreaker;
  readonly #timeoutMs: number;
  readonly #nowMs: () => number;
  readonly #onFault: (error: unknown) => void;
  #reportedAtMs = -Infinity;
  #isClosed = false;

  constructor(store: RateCounters, clock: Clock, options: FallbackOptions) {
    const { timeoutMs = 3_000, openMs = 5_000, nowMs = () => performance.now(), onFault = () => {} } = options;
    this.#store = store;
    this.#memory = new MemoryRateCounters(clock);
    this.#breaker = new CircuitBreaker({ openMs, now: nowMs });
    this.#timeoutMs = timeoutMs;
    this.#nowMs = nowMs;
    this.#onFault = onFault;
  }

  async hit(key: string, windowMs: number): Promise<CountedWindow> {
    checkWindowMs(windowMs);
    return await this.#run((counters) => counters.hit(key, windowMs));
  }

  async peek(key: string): Promise<CountedWindow | undefined> {
    return await this.#run((counters) => counters.peek(key));
  }

  async decrement(key: string): Promise<void> {
    await this.#run((counters) => counters.decrement(key));
  }

  async clear(key: string): Promise<void> {
    await this.#run((counters) => counters.clear(key));
  }

  /** Runs `task` on the store through the circuit breaker. Returns `undefined` and reports the error if it fails. */
  async tryStore<T>(task: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
    if (this.#isClosed) return undefined;
    try {
      return { result: await this.#breaker.run(() => untilAborted(task(), AbortSignal.timeout(this.#timeoutMs))) };
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  /** Ends the use of the store. Later calls count in memory. */
  close(): void {
    this.#isClosed = true;
  }

  async #run<T>(task: (counters: RateCounters) => Promise<T>): Promise<T> {
    const outcome = await this.tryStore(() => task(this.#store));
    return outcome === undefined ? await task(this.#memory) : outcome.result;
  }

  #report(error: unknown): void {
    if (this.#nowMs() - this.#reportedAtMs < MINUTE_MS) return;
    this.#reportedAtMs = this.#nowMs();
    this.#onFault(error);
  }
}
