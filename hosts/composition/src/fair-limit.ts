import { AppError, type Cancellation, type FairLimit } from '@palimpsest/core';

const RETRY_AFTER_MS = 5_000; // a page takes about a second

/** Lets a fixed number of tasks run at once in this process, in turn over their owners. */
export class ProcessFairLimit implements FairLimit {
  readonly #waitingPerOwner: number;
  readonly #waiting = new Map<string, Set<() => void>>(); // what begins those who wait, by owner, whose turn is next first
  #free: number;

  /** `places` is 1 or more, `waitingPerOwner` 0 or more. */
  constructor(places: number, waitingPerOwner: number) {
    this.#free = places;
    this.#waitingPerOwner = waitingPerOwner;
  }

  async run<T>(ownerId: string, task: () => Promise<T>, signal: Cancellation): Promise<T> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#place(ownerId, signal);
    try {
      signal.throwIfAborted(); // since the place was handed over
      return await task();
    } finally {
      this.#handOver();
    }
  }

  async #place(ownerId: string, signal: Cancellation): Promise<void> {
    const own = this.#waiting.get(ownerId) ?? new Set();
    if (own.size >= this.#waitingPerOwner) {
      const message = `${own.size} requests of this account wait to be served already. Try again when some are answered.`;
      throw new AppError('RATE_LIMITED', message, { retryAfterMs: RETRY_AFTER_MS });
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      own.delete(resolve);
      // Another set may stand for the owner by now, if this one was empty before.
      if (own.size === 0 && this.#waiting.get(ownerId) === own) this.#waiting.delete(ownerId);
      reject(signal.reason);
    };
    own.add(resolve);
    this.#waiting.set(ownerId, own);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Gives a place on to whom it is due, so that nobody who comes now overtakes. */
  #handOver(): void {
    for (const [ownerId, own] of this.#waiting) {
      this.#waiting.delete(ownerId);
      for (const begin of own) {
        own.delete(begin);
        // Who has more that waits comes again after all others.
        if (own.size > 0) this.#waiting.set(ownerId, own);
        begin();
        return;
      }
    }
    this.#free++;
  }
}
