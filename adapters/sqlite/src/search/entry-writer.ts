import { randomUUID } from 'node:crypto';
import type { SearchEntry } from '@palimpsest/core';
import type { Database } from '../database.ts';
import { addOwner, findEntry } from './entry-records.ts';
import { addPart, removeUnusedParts } from './entry-parts.ts';
import { indexedWords, ownerPrefix, spacedWords } from './search-words.ts';

// The number of different words in one row. SQLite writes so many words in about 20 ms, even if all are new to the
// index.
const ROW_WORDS = 4000;
const ABANDONED_AFTER_S = 3600;

const PUT_ENTRY = `
  INSERT INTO search_entries (document_id, owner_number, received_at, version, names_length, text_length, write_id)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (document_id) DO UPDATE SET owner_number = excluded.owner_number, received_at = excluded.received_at,
    version = excluded.version, names_length = excluded.names_length, text_length = excluded.text_length,
    write_id = excluded.write_id
  RETURNING entry_id`;
const PUT_TEXTS = 'INSERT OR REPLACE INTO search_texts (entry_id, title, filename, text) VALUES (?, ?, ?, ?)';
const PUT_WORDS = 'INSERT INTO search_words (rowid, owner, text) VALUES (?, ?, ?)';

/** An entry as it is stored. */
interface StoredEntry extends SearchEntry {
  // `title`, `filename` and `text` contain words between blanks.
  readonly ownerNumber: number;
}

/** The parts of an entry that were written before the entry itself. */
interface WrittenParts {
  readonly writeId: string;
  readonly count: number;
}

const partsOf = (words: ReadonlySet<string>): readonly (readonly string[])[] => {
  const all = [...words];
  return Array.from({ length: Math.ceil(all.length / ROW_WORDS) }, (_, i) =>
    all.slice(i * ROW_WORDS, (i + 1) * ROW_WORDS),
  );
};

/**
 * Writes the words of an entry, each part in its own transaction. No search finds the parts until the entry refers to
 * them.
 */
const writeParts = async (
  database: Database,
  { documentId, ownerNumber }: StoredEntry,
  parts: readonly (readonly string[])[],
): Promise<WrittenParts> => {
  await removeUnusedParts(database, `written_at < unixepoch() - ?`, ABANDONED_AFTER_S);
  const writeId = randomUUID();
  const prefix = ownerPrefix(ownerNumber);
  for (const words of parts) await addPart(database, { documentId, writeId }, prefix, indexedWords(prefix, words));
  return { writeId, count: parts.length };
};

/** The outcome of {@link replaceEntry}. */
interface ReplaceResult {
  readonly isDone: boolean; // false: another process removed parts of the entry, which must be written again
  readonly unusedWriteId: string | null; // of parts that no entry uses any longer
}

/** Replaces the entry of a document in one transaction, unless a higher version is stored. */
const replaceEntry = (
  database: Database,
  entry: StoredEntry,
  written: WrittenParts | undefined,
  words: string,
): Promise<ReplaceResult> =>
  database.write(() => {
    const before = findEntry(database, entry.documentId);
    if (before !== undefined && before.version > entry.version) {
      return { isDone: true, unusedWriteId: written?.writeId ?? null };
    }
    if (written !== undefined) {
      const sql = 'SELECT count(*) AS count FROM search_parts WHERE document_id = ? AND write_id = ?';
      const found = database.one<{ count: number }>(sql, entry.documentId, written.writeId);
      if (found?.count !== written.count) return { isDone: false, unusedWriteId: written.writeId };
    }
    const { title, filename, text } = entry;
    const id = database.one<{ entry_id: number }>(
      PUT_ENTRY,
      entry.documentId,
      entry.ownerNumber,
      entry.receivedAt,
      entry.version,
      title.length + filename.length,
      text.length,
      written?.writeId ?? null,
    )?.entry_id;
    if (id === undefined) throw new TypeError('SQLite did not return the written row');
    database.run(PUT_TEXTS, id, title, filename, text);
    database.run('DELETE FROM search_words WHERE rowid = ?', id);
    if (written === undefined) database.run(PUT_WORDS, id, ownerPrefix(entry.ownerNumber), words);
    return { isDone: true, unusedWriteId: before?.write_id ?? null };
  });

/**
 * Stores an entry, as the port promises. An entry with few different words is one row of the full-text index, which has
 * the id of the entry. For any other entry, the words are written in parts first, so that each transaction is short. A
 * search finds the old entry until one short transaction replaces it. Afterwards, unused parts are removed. After a
 * crash, a later put or the removal of the document removes them.
 */
export const putEntry = async (database: Database, entry: SearchEntry): Promise<void> => {
  const words = new Set<string>();
  const stored: StoredEntry = {
    ...entry,
    title: await spacedWords(entry.title, words),
    filename: await spacedWords(entry.filename, words),
    text: await spacedWords(entry.text, words),
    ownerNumber: await addOwner(database, entry.ownerId),
  };
  const prefix = ownerPrefix(stored.ownerNumber);
  let result: ReplaceResult;
  do {
    const written = words.size > ROW_WORDS ? await writeParts(database, stored, partsOf(words)) : undefined;
    result = await replaceEntry(
      database,
      stored,
      written,
      written === undefined ? indexedWords(prefix, [...words]) : '',
    );
    if (result.unusedWriteId !== null) await removeUnusedParts(database, 'write_id = ?', result.unusedWriteId);
  } while (!result.isDone);
};

/** Removes the entry of a document. No search finds it after the first transaction. */
export const removeEntry = async (database: Database, documentId: string): Promise<void> => {
  await database.write(() => {
    const entry = findEntry(database, documentId);
    if (entry === undefined) return;
    database.run('DELETE FROM search_words WHERE rowid = ?', entry.entry_id);
    database.run('DELETE FROM search_entries WHERE entry_id = ?', entry.entry_id);
  });
  await removeUnusedParts(database, 'document_id = ?', documentId);
};
