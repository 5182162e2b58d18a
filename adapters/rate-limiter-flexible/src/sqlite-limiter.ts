import { RateLimiterSQLite } from 'rate-limiter-flexible';
import { MemoryLimiter } from './memory-limiter.ts';
import { WindowRes } from './window-res.ts';

/** The part of a better-sqlite3 connection that is needed here. It has no `run` of its own. */
export interface SqliteClient {
  prepare(sql: string): SqliteStatement;
  /** A function that runs `work` in one transaction. */
  transaction<T>(work: () => T): () => T;
}

/** A prepared statement. */
export interface SqliteStatement {
  get(...values: (string | number)[]): unknown;
  run(...values: (string | number)[]): { readonly changes: number | bigint };
}

declare module 'rate-limiter-flexible' {
  // Left out of the types of 11.4.0. Every operation that fails comes here, and goes on to the insurance limiter.
  interface RateLimiterSQLite {
    _handleError(
      error: unknown,
      operation: string,
      resolve: (result: unknown) => void,
      reject: (error: unknown) => void,
      values: unknown[],
    ): void;
  }
}

const TABLE = 'rate_counters';

/**
 * Counts in an SQLite file, for all processes that have it open. While the file cannot be used, each operation tells
 * `onFault`, which must not throw, and counts in the memory of the process instead. Ready when `onReady` was called
 * without an error.
 */
export class SqliteLimiter extends RateLimiterSQLite {
  readonly #client: SqliteClient;
  readonly #onFault: (error: unknown) => void;

  constructor(client: SqliteClient, onFault: (error: unknown) => void, onReady: (error?: Error) => void) {
    const options = {
      storeClient: client,
      storeType: 'better-sqlite3',
      tableName: TABLE,
      keyPrefix: '',
      // Never used: the callers have the limits, and say how long each window is.
      points: 1,
      duration: 1,
      insuranceLimiter: new MemoryLimiter(),
      // Its timer leaves a failure unhandled, which ends the process, and cannot be stopped: see `removeEnded`.
      clearExpiredByTimeout: false,
    };
    super(options, onReady);
    this.#client = client;
    this.#onFault = onFault;
  }

  /** Makes it cheap to find windows that have ended. */
  createIndex(): void {
    this.#client.prepare(`CREATE INDEX IF NOT EXISTS ${TABLE}_by_expire ON ${TABLE} (expire)`).run();
  }

  /** Removes up to `limit` windows that have ended, and gives how many. */
  removeEnded(limit: number): number {
    const ended = this.#client.prepare(
      `DELETE FROM ${TABLE} WHERE rowid IN (SELECT rowid FROM ${TABLE} WHERE expire <= ? ORDER BY expire LIMIT ?)`,
    );
    return Number(ended.run(Date.now(), limit).changes);
  }

  /** Called for the row that an operation leaves or finds. */
  _getRateLimiterRes(
    _key: string,
    _changed: number,
    row: { readonly points: number; readonly expire: number },
  ): WindowRes {
    return new WindowRes(row.points, row.expire);
  }

  /** Called by `reward`. That of the library opens a window with a count below zero where none is open. */
  async _reward(key: string, points: number): Promise<WindowRes> {
    const now = Date.now();
    this.#client.transaction(() => {
      this.#client
        .prepare(`UPDATE ${TABLE} SET points = points - ? WHERE key = ? AND expire > ?`)
        .run(points, key, now);
      this.#client.prepare(`DELETE FROM ${TABLE} WHERE key = ? AND points < 1`).run(key);
    })();
    return new WindowRes(0, now);
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
