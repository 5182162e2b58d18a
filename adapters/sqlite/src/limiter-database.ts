import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { isNoDatabase, translated } from './errors.ts';
import { createPrivateFile } from './private-file.ts';
import { retryWhileLocked } from './retry-while-locked.ts';

// Short, because SQLite blocks the whole process while it waits for a lock. A hit takes only microseconds.
const BUSY_TIMEOUT_MS = 250;
const OPEN_TIMEOUT_MS = 10_000;
const APPLICATION_ID = 0x50_61_52_63; // "PaRc", in the header field of SQLite files that identifies the program

class UnusableFile extends Error {}

/** A connection to a file of rate counters. */
export interface LimiterDatabase {
  /** Returns the prepared statement of a text. Prepares each text once. */
  prepare(sql: string): StatementSync;
  /** Closes the connection. Safe to repeat. */
  close(): void;
}

// Whether the file contains rate counters; `false` for an empty file. Throws if it contains anything else.
const isOwn = (connection: DatabaseSync): boolean => {
  // One statement, because another process may be creating the file at this moment.
  const found = connection
    .prepare(
      'SELECT (SELECT application_id FROM pragma_application_id) AS application, (SELECT count(*) FROM sqlite_schema) AS tables',
    )
    .get();
  const isOurs = found?.['application'] === APPLICATION_ID;
  if (!isOurs && found?.['tables'] !== 0) throw new UnusableFile('it contains another database');
  return isOurs;
};

const prepareFile = (connection: DatabaseSync): void => {
  if (!isOwn(connection)) connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  connection.exec('PRAGMA journal_mode = WAL');
  // Commits survive a crash of the process, but do not wait for the disk.
  connection.exec('PRAGMA synchronous = NORMAL');
  const damage = connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (damage !== 'ok') throw new UnusableFile(`it is damaged (${String(damage)})`);
};

/**
 * Opens a file for rate counters only, so that counting never waits for commits of the main database. Creates it and
 * its folder if they do not exist, accessible only by this user. Commits survive the end of the process, but not always
 * a power cut. Throws an `Error` if the file is damaged or contains something else, and `SERVICE_UNAVAILABLE` if it is
 * unavailable.
 */
export const openLimiterDatabase = async ({ file }: { readonly file: string }): Promise<LimiterDatabase> => {
  let opened: DatabaseSync | undefined;
  try {
    createPrivateFile(file);
    const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    opened = connection;
    // SQLite does not wait for a lock when it changes the journal mode.
    await retryWhileLocked(() => prepareFile(connection), OPEN_TIMEOUT_MS);
    return limiterDatabase(connection);
  } catch (error) {
    if (opened?.isOpen) opened.close();
    const unusable = isNoDatabase(error)
      ? 'it is damaged or not an SQLite database'
      : error instanceof UnusableFile
        ? error.message
        : undefined;
    if (unusable === undefined) throw translated(error);
    throw new Error(`${file} cannot be used for the rate counters: ${unusable}. Delete it. Only the counts are lost.`, {
      cause: error,
    });
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
    close: () => {
      if (connection.isOpen) connection.close();
    },
  };
};
