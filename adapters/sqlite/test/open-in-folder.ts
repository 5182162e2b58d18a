import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite, type Sqlite, type SqliteOptions } from '@palimpsest/sqlite';

/** A folder of its own with one database file, which any number of handles may be opened on. */
export interface DatabaseFolder {
  readonly folder: string;
  readonly file: string;
  /** One more handle on the file, closed by {@link remove}. */
  open(options?: Partial<SqliteOptions>): Promise<Sqlite>;
  /** Closes all handles, and leaves the file. */
  closeAll(): Promise<void>;
  /** Closes all handles and removes the folder. */
  remove(): Promise<void>;
}

export const databaseFolder = async (): Promise<DatabaseFolder> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-sqlite-'));
  const file = join(folder, 'data', 'palimpsest.db');
  const handles: Sqlite[] = [];
  const closeAll = async () => {
    await Promise.all(handles.splice(0).map((handle) => handle.close()));
  };
  return {
    folder,
    file,
    open: async (options = {}) => {
      const handle = await openSqlite({ file, ...options });
      handles.push(handle);
      return handle;
    },
    closeAll,
    remove: async () => {
      await closeAll();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
