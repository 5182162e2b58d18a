import type { MongoLimiterClient, MongoLimiterCollection } from './mongo-limiter.ts';

/** How long a client of a database out of order is waited for and left alone, in milliseconds. */
export interface Patience {
  readonly waitMs: number;
  readonly restMs: number;
}

const DUPLICATE_KEY = 11_000;

// How a limiter learns that another process was faster.
const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === DUPLICATE_KEY;

const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database has not answered within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * A client that waits for each answer for a short time only, and when a call to it failed, fails at once with the same
 * error for a while. Then one call tries again; those beside it do not wait for how it ends. What was given up on may be
 * carried out nevertheless.
 */
export class RestingMongoClient implements MongoLimiterClient {
  readonly #client: MongoLimiterClient;
  readonly #patience: Patience;
  #restsUntil = -Infinity;
  #fault: unknown;
  #closed = false;

  constructor(client: MongoLimiterClient, patience: Patience) {
    this.#client = client;
    this.#patience = patience;
  }

  collection(name: string): MongoLimiterCollection {
    const collection = this.#client.collection(name);
    return {
      findOne: (filter) => this.#try(() => collection.findOne(filter)),
      findOneAndUpdate: (filter, change, options) =>
        this.#try(() => collection.findOneAndUpdate(filter, change, options)),
      deleteOne: (filter) => this.#try(() => collection.deleteOne(filter)),
      // May take long, and is waited for.
      createIndex: (keys, options) => collection.createIndex(keys, options),
    };
  }

  /** Leaves the client alone for good. */
  close(): void {
    this.#closed = true;
    this.#fault = new Error('The rate counters are closed');
    this.#restsUntil = Infinity;
  }

  async #try<T>(call: () => Promise<T>): Promise<T> {
    // oxlint-disable-next-line typescript/only-throw-error -- what was thrown, once more
    if (performance.now() < this.#restsUntil) throw this.#fault;
    if (this.#fault !== undefined) this.#restsUntil = performance.now() + this.#patience.waitMs;
    try {
      const result = await within(this.#patience.waitMs, call());
      this.#note(undefined);
      return result;
    } catch (error) {
      this.#note(isDuplicate(error) ? undefined : error);
      throw error;
    }
  }

  #note(fault: unknown): void {
    if (this.#closed) return;
    this.#fault = fault;
    this.#restsUntil = fault === undefined ? -Infinity : performance.now() + this.#patience.restMs;
  }
}
