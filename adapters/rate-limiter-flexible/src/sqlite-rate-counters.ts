import type { Clock, CountedWindow, RateCounters } from '@palimpsest/core';
import { countedWindow, nowMsOf, storedKey } from './counted-windows.ts';

/** The part of an SQLite connection that the counters need. */
export interface SqliteClient {
  prepare(sql: string): SqliteStatement;
}

/** A prepared statement. */
export interface SqliteStatement {
  all(...values: (string | number)[]): unknown[];
  run(...values: (string | number)[]): { readonly changes: number | bigint };
}

interface Row {
  readonly points: number;
  readonly expire: number;
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS rate_counters (
  key TEXT PRIMARY KEY,
  points INTEGER NOT NULL,
  expire INTEGER NOT NULL -- milliseconds since the epoch
)`;
const CREATE_INDEX = 'CREATE INDEX IF NOT EXISTS rate_counters_by_expire ON rate_counters (expire)';
const HIT = `INSERT INTO rate_counters (key, points, expire) VALUES (?1, 1, ?2)
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN expire > ?3 THEN points + 1 ELSE 1 END,
    expire = CASE WHEN expire > ?3 THEN expire ELSE excluded.expire END
  RETURNING points, expire`;
const PEEK = 'SELECT points, expire FROM rate_counters WHERE key = ? AND expire > ?';
const TAKE_BACK = `UPDATE rate_counters SET points = points - 1, expire = CASE WHEN points > 1 THEN expire ELSE 0 END
  WHERE key = ? AND expire > ?`;
const CLEAR = 'DELETE FROM rate_counters WHERE key = ?';
const DELETE_ENDED = `DELETE FROM rate_counters
  WHERE rowid IN (SELECT rowid FROM rate_counters WHERE expire <= ? ORDER BY expire LIMIT ?)`;

/**
 * Rate counters in one table of an SQLite file. Each operation is one statement, so it is atomic for all processes that
 * use the file. Throws the error of SQLite if the file cannot be used.
 */
export class SqliteRateCounters implements RateCounters {
  readonly #client: SqliteClient;
  readonly #clock: Clock;

  constructor(client: SqliteClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Creates the table and its index if they do not exist. */
  createTable(): void {
    this.#client.prepare(CREATE_TABLE).run();
    this.#client.prepare(CREATE_INDEX).run();
  }

  async hit(key: string, windowMs: number): Promise<CountedWindow> {
    const nowMs = nowMsOf(this.#clock);
    const window = this.#window(HIT, storedKey(key), nowMs + windowMs, nowMs);
    if (window === undefined) throw new Error('SQLite returned no row for a hit');
    return window;
  }

  async peek(key: string): Promise<CountedWindow | undefined> {
    return this.#window(PEEK, storedKey(key), nowMsOf(this.#clock));
  }

  async decrement(key: string): Promise<void> {
    this.#client.prepare(TAKE_BACK).run(storedKey(key), nowMsOf(this.#clock));
  }

  async clear(key: string): Promise<void> {
    this.#client.prepare(CLEAR).run(storedKey(key));
  }

  /** Deletes up to `limit` ended windows and returns their number. */
  deleteEnded(limit: number): number {
    return Number(this.#client.prepare(DELETE_ENDED).run(nowMsOf(this.#clock), limit).changes);
  }

  // Uses `all`, not `get`, because `all` runs the statement to its end and throws an error of the commit.
  #window(sql: string, ...values: (string | number)[]): CountedWindow | undefined {
    const [row] = this.#client.prepare(sql).all(...values) as readonly Row[];
    return row && countedWindow(row.points, row.expire);
  }
}
