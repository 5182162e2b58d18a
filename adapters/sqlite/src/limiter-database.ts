import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { makePrivate } from './database.ts';
import { isBusy, isNoDatabase, translated } from './errors.ts';

// A count takes microseconds, so a file that is locked for longer than this is out of order, and waiting holds up the
// whole process.
const BUSY_TIMEOUT_MS = 250;
const PATIENCE_MS = 10_000;
const APPLICATION_ID = 0x50_61_52_63; // "PaRc", by which SQLite files tell what they are for

class UnusableFile extends Error {}

/** A connection to a file of counters, in the form of better-sqlite3 that rate limiters know. */
export interface LimiterDatabase {
  /** A statement, made once for each text. */
  prepare(sql: string): StatementSync;
  /** A function that runs `work` in a transaction that nobody else writes beside, and keeps nothing of it if it throws. */
  transaction<T>(work: () => T): () => T;
  /** Closes the connection. Safe to repeat. */
  close(): void;
}

// Whether the file is one of counters already. Throws if it is anything but that or empty.
const isOwn = (connection: DatabaseSync): boolean => {
  // One statement, so that a process that makes the file at this moment is seen either before or after.
  const found = connection
    .prepare(
      'SELECT (SELECT application_id FROM pragma_application_id) AS application, (SELECT count(*) FROM sqlite_schema) AS tables',
    )
    .get();
  const isOurs = found?.['application'] === APPLICATION_ID;
  if (!isOurs && found?.['tables'] !== 0) throw new UnusableFile('it holds another database');
  return isOurs;
};

const prepareFile = (connection: DatabaseSync): void => {
  if (!isOwn(connection)) connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  connection.exec('PRAGMA journal_mode = WAL');
  // Commits reach the system, so they outlive the process; the disk is not waited for.
  connection.exec('PRAGMA synchronous = NORMAL');
  const damage = connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (damage !== 'ok') throw new UnusableFile(`it is damaged (${String(damage)})`);
};

const patiently = async (attempt: () => void): Promise<void> => {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      attempt();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    // SQLite does not wait for a lock when it changes the journal, and others may open the file at this moment.
    await delay(5 + Math.random() * 45);
  }
};

/**
 * Opens a file for rate counters and nothing else, so that a count never waits for the commits of the main database.
 * Makes it and its folder, readable for nobody else, if there is none. What was committed survives the end of the
 * process, and not always a power cut. A file that is damaged or something else is an `Error`; nothing in it is worth
 * more than to be removed. A file that cannot be reached is `SERVICE_UNAVAILABLE`.
 */
export const openLimiterDatabase = async ({ file }: { readonly file: string }): Promise<LimiterDatabase> => {
  let opened: DatabaseSync | undefined;
  try {
    makePrivate(file);
    const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    opened = connection;
    await patiently(() => prepareFile(connection));
    return limiterDatabase(connection);
  } catch (error) {
    if (opened?.isOpen) opened.close();
    const unusable = isNoDatabase(error)
      ? 'it is damaged or no SQLite database'
      : error instanceof UnusableFile
        ? error.message
        : undefined;
    if (unusable === undefined) throw translated(error);
    throw new Error(
      `${file} cannot hold the rate counters: ${unusable}. Nothing but counts is lost if it is removed.`,
      { cause: error },
    );
  }
};

const limiterDatabase = (connection: DatabaseSync): LimiterDatabase => {
  const statements = new Map<string, StatementSync>();
  return {
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known) return known;
      const statement = connection.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    transaction: (work) => () => {
      connection.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        connection.exec('COMMIT');
        return result;
      } catch (error) {
        if (connection.isTransaction) connection.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => {
      if (connection.isOpen) connection.close();
    },
  };
};
