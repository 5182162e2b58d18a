import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { isBusy, translated } from './errors.ts';
import { migrate } from './migrations.ts';
import { closing } from './thread-errors.ts';

// A call that waits for a lock inside SQLite holds up the whole process, and a long text is put in a second or more. So no
// call waits there: it is tried again, soon at first, and between the tries everything else goes on.
const BUSY_TIMEOUT_MS = 0;
const LONGEST_DELAY_MS = 50;
const PATIENCE_MS = 10_000;
// Work is done before a call returns, so that whoever loops over the store would let nothing else go on. After so long, the
// next call begins after a turn of the event loop.
const TURN_MS = 10;

/** How a database is opened. */
export interface DatabaseOptions {
  /** For how long a call that finds the file locked is tried again before it throws `SERVICE_UNAVAILABLE`. */
  readonly patienceMs?: number;
}

/**
 * One connection to an SQLite file. Work is synchronous and short; many calls in a row let everything else go on in
 * between; while another connection has the file locked it is tried again, without blocking the process. A store that
 * cannot be reached (locked for long, disk full, input/output error, no such file, closed) throws `SERVICE_UNAVAILABLE`;
 * every other error passes as it is.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #patienceMs: number;
  readonly #statements = new Map<string, StatementSync>();
  #turn: { readonly began: number; readonly over: Promise<void> } | undefined;

  constructor(connection: DatabaseSync, patienceMs: number) {
    this.#connection = connection;
    this.#patienceMs = patienceMs;
  }

  /** Runs `work`, which only reads, on one state of the database. */
  read<T>(work: () => T): Promise<T> {
    return this.#patiently(() => this.#transaction('BEGIN', work));
  }

  /**
   * Runs `work` in a transaction that nobody else writes beside. What it wrote would survive a power cut when the call
   * resolves; if it throws, nothing of it is kept. It may be run more than once, so it changes nothing but the database.
   */
  write<T>(work: () => T): Promise<T> {
    return this.#patiently(() => this.#transaction('BEGIN IMMEDIATE', work));
  }

  /** The first row of a query, inside {@link read} or {@link write}. The caller knows the columns. */
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

  /** Runs a statement inside {@link write} and gives the number of rows that it changed, those of triggers not counted. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Runs statements that are run once, such as those of a schema. */
  script(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Commits go to a write-ahead log, beside which others read on, and are on the disk when they return. */
  setDurability(): Promise<void> {
    return this.#patiently(() => {
      // SQLite does not wait for a lock when it changes the journal, so two processes that open at once need the tries.
      this.#connection.exec('PRAGMA journal_mode = WAL');
      this.#connection.exec('PRAGMA synchronous = FULL');
    });
  }

  /** A number that changes when another connection commits. */
  dataVersion(): Promise<number> {
    return this.#patiently(() => this.one<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0);
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
      // Some errors (a full disk) have rolled back already.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  #thisTurn(): { readonly began: number; readonly over: Promise<void> } {
    this.#turn ??= {
      began: performance.now(),
      over: nextTurn().then(() => {
        this.#turn = undefined;
      }),
    };
    return this.#turn;
  }

  async #patiently<T>(attempt: () => T): Promise<T> {
    for (let turn = this.#thisTurn(); performance.now() - turn.began > TURN_MS; turn = this.#thisTurn())
      await turn.over;
    const deadline = performance.now() + this.#patienceMs;
    for (let delayMs = 1; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
      // It may have been closed during the wait.
      if (!this.#connection.isOpen) throw closing();
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw translated(error);
      }
      await delay(Math.random() * delayMs);
    }
  }
}

/**
 * Makes `file` and its folder if there is none, and keeps others from reading it. The write-ahead log and its index get
 * the permissions of the main file from SQLite.
 */
// The file is never opened here once it exists: closing any descriptor of it would drop the locks that this process holds
// on it (POSIX, fcntl).
export const makePrivate = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const found = statSync(file);
    if (found.isFile() && (found.mode & 0o077) !== 0) chmodSync(file, 0o600);
  }
};

const opened = async (
  connect: () => DatabaseSync,
  { patienceMs = PATIENCE_MS }: DatabaseOptions,
): Promise<Database> => {
  let connection: DatabaseSync;
  try {
    connection = connect();
  } catch (error) {
    throw translated(error);
  }
  const database = new Database(connection, patienceMs);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const CONNECTION = { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true };

/**
 * Opens the SQLite database `file`, and makes it and its folder, readable for nobody else, if there is none. Its schema
 * is brought to the newest version; any number of processes may do so at once. A schema newer than the newest one
 * known here is refused with an `Error`, and the file left as it is.
 */
export const openDatabase = (file: string, options: DatabaseOptions = {}): Promise<Database> =>
  opened(() => {
    makePrivate(file);
    return new DatabaseSync(file, CONNECTION);
  }, options);

/** One more connection to a database that was opened before. `SERVICE_UNAVAILABLE` if its file is gone; none is made. */
export const reopenDatabase = (file: string, options: DatabaseOptions = {}): Promise<Database> =>
  opened(() => {
    const url = pathToFileURL(file);
    url.searchParams.set('mode', 'rw'); // https://www.sqlite.org/uri.html
    return new DatabaseSync(url, CONNECTION);
  }, options);
