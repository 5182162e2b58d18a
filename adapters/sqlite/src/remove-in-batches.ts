import type { SQLInputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './database.ts';

const BATCH_ROWS = 1000;

/**
 * Removes the rows of `table` for which `condition` holds, in many short transactions. Returns the number of rows. `table` and
 * `condition` are SQL of the caller, never input.
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
