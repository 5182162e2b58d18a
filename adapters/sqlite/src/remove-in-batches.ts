import type { SQLInputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './database.ts';

const BATCH_ROWS = 1000;

/**
 * Removes the rows of `table` that `condition` holds for, each batch in a transaction of its own, so that everything
 * else goes on in between however many there are; resolves with how many. Both are words of the caller, not input.
 */
export const removeInBatches = async (
  database: Database,
  table: string,
  condition: string,
  ...values: SQLInputValue[]
): Promise<number> => {
  const sql = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${BATCH_ROWS})`;
  for (let removed = 0; ; await nextTurn()) {
    const batch = await database.write(() => database.run(sql, ...values));
    removed += batch;
    if (batch < BATCH_ROWS) return removed;
  }
};
