import type { SQLInputValue } from 'node:sqlite';
import type { Database } from './database.ts';
import { writeAndPause } from './write-and-pause.ts';

/** Rows to remove. `table` and `condition` are SQL, so they must never contain input. */
export interface RemovedRows {
  readonly table: string;
  readonly condition: string;
  readonly batch?: number; // rows of one transaction, fewer for large rows
}

/** Removes the rows that fulfil `condition`, in many short transactions. Returns the number of removed rows. */
export const removeInBatches = async (
  database: Database,
  { table, condition, batch = 1000 }: RemovedRows,
  ...values: SQLInputValue[]
): Promise<number> => {
  const sql = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${batch})`;
  let removed = 0;
  let last: number;
  do {
    last = await writeAndPause(database, () => database.run(sql, ...values));
    removed += last;
  } while (last === batch);
  return removed;
};
