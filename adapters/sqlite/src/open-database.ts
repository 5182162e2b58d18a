import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Database } from './database.ts';
import { translated } from './errors.ts';
import { createPrivateFile } from './private-file.ts';
import { migrate } from './schema/migrations.ts';

// While SQLite waits for a lock, it blocks the whole process. Therefore it does not wait, and `Database` retries the
// call.
const BUSY_TIMEOUT_MS = 0;
const LOCK_TIMEOUT_MS = 10_000;

/** The options of {@link openDatabase}. */
export interface DatabaseOptions {
  /** How long a call retries while the file is locked, before it throws `SERVICE_UNAVAILABLE`; default: 10 s. */
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
 * Opens the SQLite database `file`. Creates it and its folder if they do not exist, accessible only by this user.
 * Upgrades the schema to the newest version; any number of processes may do so at the same time. Throws an `Error` if
 * the schema is newer than this version knows, and leaves the file unchanged.
 */
export const openDatabase = (file: string, options: DatabaseOptions = {}): Promise<Database> =>
  opened(() => {
    createPrivateFile(file);
    return new DatabaseSync(file, CONNECTION);
  }, options);

/** Opens another connection to an existing database. Throws `SERVICE_UNAVAILABLE` if the file does not exist. */
export const reopenDatabase = (file: string, options: DatabaseOptions = {}): Promise<Database> =>
  opened(() => {
    const url = pathToFileURL(file);
    url.searchParams.set('mode', 'rw'); // https://www.sqlite.org/uri.html
    return new DatabaseSync(url, CONNECTION);
  }, options);
