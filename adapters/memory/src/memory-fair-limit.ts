import { AppError, type Cancellation, type FairLimit } from '@palimpsest/core';

interface Waiting {
  readonly ownerId: string;
  readonly begin: () => void;
}

const RETRY_AFTER_MS = 1_000;

/** At most so many tasks at once, the others in turn over their owners. */
export class MemoryFairLimit implements FairLimit {
  readonly #waitingPerOwner: number;
  readonly #waiting: Waiting[] = []; // in the order of the calls
  readonly #turns: string[] = []; // the owners of those who wait, each once, the next first
  #free: number;

  /** `places` is 1 or more, `waitingPerOwner` 0 or more. */
  constructor(places: number, waitingPerOwner: number) {
    if (!(places >= 1)) throw new TypeError('At least one task must be able to run');
    this.#free = places;
    this.#waitingPerOwner = waitingPerOwner;
  }

  async run<T>(ownerId: string, task: () => Promise<T>, signal: Cancellation): Promise<T> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(ownerId, signal);
    try {
      signal.throwIfAborted(); // since the place was given
      return await task();
    } finally {
      // A place that somebody waits for is handed over, so that nobody who comes now overtakes.
      const next = this.#next();
      if (next === undefined) this.#free++;
      else next.begin();
    }
  }

  async #wait(ownerId: string, signal: Cancellation): Promise<void> {
    const before = this.#waiting.filter((other) => other.ownerId === ownerId).length;
    if (before >= this.#waitingPerOwner) {
      throw new AppError('RATE_LIMITED', `At most ${this.#waitingPerOwner} tasks can wait at once.`, {
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
    const place = Promise.withResolvers<void>();
    const waiting: Waiting = { ownerId, begin: place.resolve };
    const abort = (): void => {
      this.#remove(waiting);
      place.reject(signal.reason);
    };
    this.#waiting.push(waiting);
    if (before === 0) this.#turns.push(ownerId);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await place.promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  #next(): Waiting | undefined {
    const [ownerId] = this.#turns;
    const next = this.#waiting.find((waiting) => waiting.ownerId === ownerId);
    if (next === undefined) return undefined;
    this.#remove(next);
    // Who has more that waits comes again after all others.
    if (this.#turns[0] === next.ownerId) this.#turns.push(...this.#turns.splice(0, 1));
    return next;
  }

  #remove(waiting: Waiting): void {
    const index = this.#waiting.indexOf(waiting);
    if (index === -1) return; // it was given its place
    this.#waiting.splice(index, 1);
    if (!this.#waiting.some(({ ownerId }) => ownerId === waiting.ownerId)) {
      this.#turns.splice(this.#turns.indexOf(waiting.ownerId), 1);
    }
  }
}
