import { setTimeout as after } from 'node:timers/promises';
import { TransientFault, unavailable } from './errors.ts';
import type { GcsTiming } from './timing.ts';

/** Waits between attempts, longer each time, until a deadline. */
export class Patience {
  readonly #timing: GcsTiming;
  readonly #totalMs: number;
  #delayMs = 0;
  #deadline = 0;

  constructor(timing: GcsTiming, totalMs: number = timing.totalMs) {
    this.#timing = timing;
    this.#totalMs = totalMs;
    this.renew();
  }

  /** How long the next attempt may last. */
  get attemptMs(): number {
    return Math.max(1, Math.min(this.#timing.attemptMs, this.#deadline - performance.now()));
  }

  /** Begins anew, as there was progress. */
  renew(): void {
    this.#delayMs = this.#timing.firstDelayMs;
    this.#deadline = performance.now() + this.#totalMs;
  }

  /**
   * Waits before the next attempt after a {@link TransientFault}. Throws `SERVICE_UNAVAILABLE` where the deadline would
   * come first, and any other error as it is.
   */
  async wait(error: unknown): Promise<void> {
    if (!(error instanceof TransientFault)) throw error;
    const delayMs = this.#delayMs * (0.5 + Math.random() / 2); // so that those who failed together do not return together
    if (performance.now() + delayMs >= this.#deadline) throw unavailable(error);
    this.#delayMs = Math.min(this.#delayMs * 2, this.#timing.maxDelayMs);
    await after(delayMs);
  }
}

/** What `work` resolves with; where it lasts longer than `ms`, aborts what hangs on `controller`. */
export const within = async <T>(ms: number, controller: AbortController, work: () => Promise<T>): Promise<T> => {
  const timer = setTimeout(() => controller.abort(new TransientFault(`No answer within ${Math.round(ms)} ms`)), ms);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
};

/** What `attempt` resolves with, which is made again after each {@link TransientFault}. Throws as {@link Patience.wait}. */
export const retried = async <T>(patience: Patience, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  for (;;) {
    const controller = new AbortController();
    try {
      return await within(patience.attemptMs, controller, () => attempt(controller.signal));
    } catch (error) {
      await patience.wait(error);
    }
  }
};
