import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Database } from './database.ts';
import { translated } from './errors.ts';
import { createPrivateFile } from './private-file.ts';
import { migrate } from './schema/migrations.ts';

// SQLite would block the whole process while it waits for a lock. So it does not wait, and the call is retried.
const BUSY_TIMEOUT_MS = 0;
const LOCK_TIMEOUT_MS = 10_000;

/** How a database is opened. */
export interface DatabaseOptions {
  /** How long a call that finds the file locked is retried before it throws `SERVICE_UNAVAILABLE`. */
  readonly lockTimeoutMs?: number;
}

const opened = async (
  connect: () => DatabaseSync,
  { lockTimeoutMs = LOCK_TIMEOUT_MS }: DatabaseOptions,
): Promise<Database> => {
  let connection: DatabaseSync;
  try {
    connection = connect();
  } catch (error) {
    throw translated(error);
  }
  const database = new Database(connection, lockTimeoutMs);
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
 * Opens the SQLite database `file`. Creates it and its folder if they do not exist, readable for this user only. Brings the
 * schema to the newest version; any number of processes may do so at once. Throws an `Error` if the schema is newer than
 * this version knows, and leaves the file unchanged.
 */
export const openDatabase = (file: string, options: DatabaseOptions = {}): Promise<Database> =>
  opened(() => {
    createPrivateFile(file);
    return new DatabaseSync(file, CONNECTION);
  }, options);

/** Opens one more connection to an existing database. Throws `SERVICE_UNAVAILABLE` if the file does not exist. */
export const reopenDatabase = (file: string, options: DatabaseOptions = {}): Promise<Database> =>
  opened(() => {
    const url = pathToFileURL(file);
    url.searchParams.set('mode', 'rw'); // https://www.sqlite.org/uri.html
    return new DatabaseSync(url, CONNECTION);
  }, options);
