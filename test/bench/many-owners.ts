import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openSqlite, type Sqlite } from '@palimpsest/sqlite';

/** A store in which one owner has `count` documents, and 99 others together as many. Closing removes it. */
export interface FilledStore {
  readonly sqlite: Sqlite;
  close(): Promise<void>;
}

/** The owner whose documents are measured. */
export const OWNER = 'owner-0';

const OTHER_OWNERS = 99;

/** A folder in memory, if available: filling a store commits a hundred thousand times, which is slow on a disk. */
const fastFolder = (): string => {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
};

/**
 * Opens a store and fills it through the adapter: `add` gets the numbers from 0 to `count` for {@link OWNER}, alternating
 * with as many for other owners. Then the store is reopened. It is removed when the process exits, because it may be in memory.
 */
export const fillStore = async (
  count: number,
  add: (sqlite: Sqlite, ownerId: string, number: number) => Promise<void>,
): Promise<FilledStore> => {
  const folder = mkdtempSync(join(fastFolder(), 'palimpsest-bench-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const file = join(folder, 'palimpsest.sqlite');

  const filling = await openSqlite({ file });
  for (let number = 0; number < count; number++) {
    await add(filling, OWNER, number);
    await add(filling, `owner-${1 + (number % OTHER_OWNERS)}`, number);
    if (number % 500 === 0) await nextTurn(); // lets signal handlers run
  }
  await filling.close();

  const sqlite = await openSqlite({ file });
  return {
    sqlite,
    close: async () => {
      await sqlite.close();
      remove();
      process.off('exit', remove);
    },
  };
};
