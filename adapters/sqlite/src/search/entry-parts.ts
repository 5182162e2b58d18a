import type { Database } from '../database.ts';
import { writeAndPause } from '../write-and-pause.ts';

const PARTS_PER_TRANSACTION = 20;

const ADD_PART = `
  INSERT INTO search_parts (document_id, write_id, written_at) VALUES (?, ?, unixepoch()) RETURNING part_id`;

/** The put to which a part belongs. */
export interface PutOfPart {
  readonly documentId: string;
  readonly writeId: string;
}

/**
 * Writes some words of an entry to the full-text index. The row ids of parts are negative, those of whole entries
 * positive.
 */
export const addPart = (
  database: Database,
  { documentId, writeId }: PutOfPart,
  prefix: string,
  words: string,
): Promise<void> =>
  writeAndPause(database, () => {
    const part = database.one<{ part_id: number }>(ADD_PART, documentId, writeId);
    if (part === undefined) throw new TypeError('SQLite did not return the written row');
    database.run('INSERT INTO search_words (rowid, owner, text) VALUES (?, ?, ?)', -part.part_id, prefix, words);
  });

/**
 * Removes the parts that fulfil `condition` and to which no entry refers, a few in each transaction. `condition` is SQL
 * with one parameter, so it must never contain input.
 */
export const removeUnusedParts = async (
  database: Database,
  condition: string,
  value: string | number,
): Promise<void> => {
  const unused = `
    SELECT part_id FROM search_parts AS part WHERE ${condition} AND NOT EXISTS
      (SELECT 1 FROM search_entries WHERE document_id = part.document_id AND write_id = part.write_id)
    LIMIT ${PARTS_PER_TRANSACTION}`;
  if ((await database.read(() => database.one(unused, value))) === undefined) return;
  let count: number;
  do {
    count = await writeAndPause(database, () => {
      const parts = database.all<{ part_id: number }>(unused, value);
      for (const { part_id: id } of parts) {
        database.run('DELETE FROM search_words WHERE rowid = ?', -id);
        database.run('DELETE FROM search_parts WHERE part_id = ?', id);
      }
      return parts.length;
    });
  } while (count === PARTS_PER_TRANSACTION);
};
