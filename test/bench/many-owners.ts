import { mkdtemp, rm } from 'node:fs/promises';
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite, type Sqlite } from '@palimpsest/sqlite';

/** A store in which one owner has so many documents, and 99 others together as many. */
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
 * of {@link OWNER}, and with as many of others between them. It is opened anew afterwards.
 */
export const fillStore = async (
  count: number,
  add: (sqlite: Sqlite, ownerId: string, number: number) => Promise<void>,
): Promise<FilledStore> => {
  const folder = await mkdtemp(join(fastFolder(), 'palimpsest-bench-'));
  const file = join(folder, 'palimpsest.sqlite');
  const filling = await openSqlite({ file });
  try {
    for (let number = 0; number < count; number++) {
      await add(filling, OWNER, number);
      await add(filling, `owner-${1 + (number % OTHER_OWNERS)}`, number);
    }
  } catch (error) {
    filling.close();
    await rm(folder, { recursive: true });
    throw error;
  }
  filling.close();
  const sqlite = await openSqlite({ file });
  return {
    sqlite,
    close: async () => {
      sqlite.close();
      await rm(folder, { recursive: true });
    },
  };
};
