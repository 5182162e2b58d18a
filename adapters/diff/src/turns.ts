import type { Cancellation } from '@palimpsest/core';

/** Runs tasks one after the other, in the order of the calls. */
export class Turns {
  readonly #waiting = new Set<() => void>(); // what begins each, the next first
  #isTaken = false;

  /** Runs the task when those before it have ended, well or not. Throws the reason of `signal` at once if it aborts before. */
  async take<T>(task: () => Promise<T>, signal: Cancellation): Promise<T> {
    if (this.#isTaken) await this.#wait(signal);
    this.#isTaken = true;
    try {
      signal.throwIfAborted(); // since the turn came
      return await task();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#isTaken = false;
      else {
        this.#waiting.delete(next);
        next(); // the turn is handed on, and never free in between
      }
    }
  }

  async #wait(signal: Cancellation): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
