import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closedError, translated } from './errors.ts';
import { retryWhileLocked } from './retry-while-locked.ts';

// Each call is synchronous, so a loop of calls would block the event loop. After so many milliseconds of calls, the
// next call waits until the event loop has run once.
const MAX_TURN_MS = 10;

/**
 * One connection to an SQLite file. Transactions are synchronous and short. During a long series of calls, the event
 * loop runs between the calls. While another connection locks the file, a call retries without blocking the process. If
 * the database is unavailable (locked for long, disk full, input/output error, no such file, closed), a call throws
 * `SERVICE_UNAVAILABLE`. All other errors are thrown unchanged.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #lockTimeoutMs: number;
  readonly #statements = new Map<string, StatementSync>();
  #turn: { readonly began: number; readonly end: Promise<void> } | undefined;

  constructor(connection: DatabaseSync, lockTimeoutMs: number) {
    this.#connection = connection;
    this.#lockTimeoutMs = lockTimeoutMs;
  }

  /** Runs `work`, which only reads, in a transaction: all its reads see the same state of the database. */
  read<T>(work: () => T): Promise<T> {
    return this.#run(() => this.#transaction('BEGIN', work));
  }

  /**
   * Runs `work` in a transaction that excludes all other writers. The changes are durable, even after a power cut, when
   * the call resolves; if `work` throws, there are no changes. `work` may run more than once, so it must change nothing
   * but the database.
   */
  write<T>(work: () => T): Promise<T> {
    return this.#run(() => this.#transaction('BEGIN IMMEDIATE', work));
  }

  /** The first row of a query, inside {@link read} or {@link write}. The caller declares the columns. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a row has the shape that its query gives it
  one<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller names the columns of its own query
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  /** All rows of a query, inside {@link read} or {@link write}. */
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller names the columns of its own query
    return this.#statement(sql).all(...values) as Row[];
  }

  /**
   * Runs a statement inside {@link write}. Returns the number of rows that it changed, without the changes of triggers.
   */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Runs statements that are needed once, such as those of a schema. */
  script(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Sets that commits use a write-ahead log, so that they do not block readers, and that they wait for the disk. */
  setDurability(): Promise<void> {
    return this.#run(() => {
      this.#connection.exec('PRAGMA journal_mode = WAL');
      this.#connection.exec('PRAGMA synchronous = FULL');
    });
  }

  /** Closes the connection. Safe to repeat. */
  close(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #transaction<T>(begin: string, work: () => T): T {
    this.#connection.exec(begin);
    try {
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      // After some errors, such as a full disk, SQLite itself has rolled the transaction back.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  #currentTurn(): { readonly began: number; readonly end: Promise<void> } {
    this.#turn ??= {
      began: performance.now(),
      end: nextTurn().then(() => {
        this.#turn = undefined;
      }),
    };
    return this.#turn;
  }

  async #run<T>(attempt: () => T): Promise<T> {
    for (let turn = this.#currentTurn(); performance.now() - turn.began > MAX_TURN_MS; turn = this.#currentTurn())
      await turn.end;
    try {
      return await retryWhileLocked(() => {
        if (!this.#connection.isOpen) throw closedError(); // it may be closed between two attempts
        return attempt();
      }, this.#lockTimeoutMs);
    } catch (error) {
      throw translated(error);
    }
  }
}
