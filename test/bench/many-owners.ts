import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { openSqlite, type Sqlite } from '@palimpsest/sqlite';

/** A store in which one owner has so many documents, and 99 others together as many. It is removed when it is closed. */
export interface FilledStore {
  readonly sqlite: Sqlite;
  close(): Promise<void>;
}

/** The owner whose documents are counted on. */
export const OWNER = 'owner-0';

const OTHER_OWNERS = 99;

/** A folder in memory where there is one: filling a store commits a hundred thousand times, and a disk would wait each time. */
const fastFolder = (): string => {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
};

/**
 * A store that `add` filled through the adapter itself, call by call: with the numbers from 0 to `count` of the documents
 * of {@link OWNER}, and with as many of others between them. It is opened anew afterwards. An end of the process removes
 * it too, as it may lie in memory.
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
    if (number % 500 === 0) await turn(); // for whoever wants to stop this
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
