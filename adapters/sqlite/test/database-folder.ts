import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite, SearchPool, type Sqlite, type SqliteOptions } from '@palimpsest/sqlite';

// One pool for all tests of a file, because a thread takes longer to start than most tests to run. Its timeout does not
// end a search on a slow machine.
const searchPool = new SearchPool({ searchTimeoutMs: 600_000 });

/** A temporary folder for one database file, which any number of handles may open. */
export interface DatabaseFolder {
  readonly folder: string;
  readonly file: string;
  /** Opens another handle on the file, with `ownThreads` on its own threads. {@link remove} closes the handle. */
  open(options?: Partial<SqliteOptions> & { readonly ownThreads?: boolean }): Promise<Sqlite>;
  /** Closes all handles and keeps the file. */
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
    open: async ({ ownThreads = false, ...options } = {}) => {
      const handle = await openSqlite({ file, ...(ownThreads ? {} : { searchPool }), ...options });
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
