import type { Clock, CountedWindow, RateCounters } from '@palimpsest/core';
import { countedWindow, nowMsOf, storedKey } from './counted-windows.ts';

/** The part of a `Db` of the driver `mongodb` that the counters need. */
export interface MongoDatabase {
  collection(name: string): MongoCollection;
}

/** The part of a collection that the counters need. Filters and updates are those of MongoDB. */
export interface MongoCollection {
  findOne(filter: object): Promise<object | null>;
  findOneAndUpdate(filter: object, update: object[], options: object): Promise<object | null>;
  deleteOne(filter: object): Promise<unknown>;
  createIndex(keys: Record<string, 1 | -1>, options: object): Promise<string>;
}

interface StoredWindow {
  readonly points: number;
  readonly expire: Date;
}

const COLLECTION = 'rate_counters';
const DUPLICATE_KEY = 11_000;
const MAX_ATTEMPTS = 5;
const LONG_AGO = new Date(0); // in the past for the clock of every process

const isDuplicateKey = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === DUPLICATE_KEY;

/**
 * Rate counters in one collection of a MongoDB database. Each operation is one command on one document, so it is atomic
 * for all processes that use the database. The server deletes ended windows. Throws the error of the driver if the
 * database cannot be used.
 */
export class MongoRateCounters implements RateCounters {
  readonly #windows: MongoCollection;
  readonly #clock: Clock;

  constructor(client: MongoDatabase, clock: Clock) {
    this.#windows = client.collection(COLLECTION);
    this.#clock = clock;
  }

  /** Creates the indexes if they do not exist. Without the unique index, two first hits would open two windows. */
  async createIndexes(): Promise<void> {
    await this.#windows.createIndex({ expire: -1 }, { expireAfterSeconds: 0 });
    await this.#windows.createIndex({ key: 1 }, { unique: true });
  }

  async hit(key: string, windowMs: number): Promise<CountedWindow> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#hit(storedKey(key), windowMs);
      } catch (error) {
        // Another process opened the window at the same time. The next attempt finds it.
        if (!isDuplicateKey(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async peek(key: string): Promise<CountedWindow | undefined> {
    const found = (await this.#windows.findOne(this.#openWindow(key))) as StoredWindow | null;
    return found === null ? undefined : countedWindow(found.points, found.expire.getTime());
  }

  async decrement(key: string): Promise<void> {
    const isLast = { $lte: ['$points', 1] };
    const change = { points: { $subtract: ['$points', 1] }, expire: { $cond: [isLast, LONG_AGO, '$expire'] } };
    await this.#windows.findOneAndUpdate(this.#openWindow(key), [{ $set: change }], {});
  }

  async clear(key: string): Promise<void> {
    await this.#windows.deleteOne({ key: storedKey(key) });
  }

  async #hit(key: string, windowMs: number): Promise<CountedWindow> {
    const nowMs = nowMsOf(this.#clock);
    const isOpen = { $gt: ['$expire', new Date(nowMs)] }; // false for a new document, which has no `expire` yet
    const change = {
      points: { $cond: [isOpen, { $add: ['$points', 1] }, 1] },
      expire: { $cond: [isOpen, '$expire', new Date(nowMs + windowMs)] },
    };
    const options = { upsert: true, returnDocument: 'after' };
    const window = (await this.#windows.findOneAndUpdate({ key }, [{ $set: change }], options)) as StoredWindow | null;
    if (window === null) throw new Error('MongoDB returned no document for a hit');
    return countedWindow(window.points, window.expire.getTime());
  }

  #openWindow(key: string): object {
    return { key: storedKey(key), expire: { $gt: new Date(nowMsOf(this.#clock)) } };
  }
}
