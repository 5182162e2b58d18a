import { RateLimiterMongo } from 'rate-limiter-flexible';
import { MemoryLimiter } from './memory-limiter.ts';
import { WindowRes } from './window-res.ts';

/** The part of a database of the driver `mongodb` that is needed here. */
export interface MongoLimiterClient {
  collection(name: string): MongoLimiterCollection;
}

/** The part of a collection that is needed here. Filters and changes are those of MongoDB. */
export interface MongoLimiterCollection {
  findOne(filter: object): Promise<object | null>;
  findOneAndUpdate(filter: object, change: object | object[], options: object): Promise<object | null>;
  deleteOne(filter: object): Promise<{ readonly deletedCount: number }>;
  createIndex(keys: Record<string, 1 | -1>, options: object): Promise<string>;
}

/** A window as it is stored. */
interface StoredWindow {
  readonly points: number;
  readonly expire: Date;
}

declare module 'rate-limiter-flexible' {
  // Left out of the types of 11.4.0. Every operation that fails comes to `_handleError`, and goes on to the insurance limiter.
  interface RateLimiterMongo {
    _handleError(
      error: unknown,
      operation: string,
      resolve: (result: unknown) => void,
      reject: (error: unknown) => void,
      values: unknown[],
    ): void;
  }
}

const COLLECTION = 'rate_counters';
const LONG_AGO = new Date(0);

/**
 * Counts in a MongoDB database, for all processes that use it, after `createIndexes`. While the database cannot be used,
 * each operation tells `onFault`, which must not throw, and counts in the memory of the process instead. The server
 * clears windows away that have ended.
 */
export class MongoLimiter extends RateLimiterMongo {
  readonly #windows: MongoLimiterCollection;
  readonly #onFault: (error: unknown) => void;

  constructor(client: MongoLimiterClient, onFault: (error: unknown) => void) {
    super({
      storeClient: client,
      tableName: COLLECTION,
      keyPrefix: '',
      // Never used: the callers have the limits, and say how long each window is.
      points: 1,
      duration: 1,
      insuranceLimiter: new MemoryLimiter(),
      // It would not wait for them, and without the unique one two first hits make two windows.
      disableIndexesCreation: true,
    });
    this.#windows = client.collection(COLLECTION);
    this.#onFault = onFault;
  }

  /** Called for the window that an operation leaves or finds. */
  _getRateLimiterRes(_key: string, _changed: number, window: StoredWindow): WindowRes {
    return new WindowRes(window.points, window.expire.getTime());
  }

  /**
   * Called by `reward`. That of the library opens a window with a count below zero where none is open. One in which nothing
   * is counted any more has ended long ago, whatever the clocks of the processes say.
   */
  async _reward(key: string, points: number): Promise<WindowRes> {
    const now = new Date();
    const open = { key, expire: { $gt: now } };
    const isLast = { $lte: ['$points', points] };
    const less = { points: { $subtract: ['$points', points] }, expire: { $cond: [isLast, LONG_AGO, '$expire'] } };
    await this.#windows.findOneAndUpdate(open, [{ $set: less }], { returnDocument: 'after' });
    return new WindowRes(0, now.getTime());
  }

  override _handleError(
    error: unknown,
    operation: string,
    resolve: (result: unknown) => void,
    reject: (error: unknown) => void,
    values: unknown[],
  ): void {
    this.#onFault(error);
    super._handleError(error, operation, resolve, reject, values);
  }
}
