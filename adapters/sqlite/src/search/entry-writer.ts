import { randomUUID } from 'node:crypto';
import type { SearchEntry } from '@palimpsest/core';
import type { Database } from '../database.ts';
import { addOwner, findEntry } from './entry-records.ts';
import { addPart, removeUnusedParts } from './entry-parts.ts';
import { indexedWords, ownerPrefix, spacedWords } from './search-words.ts';

// Different words of one row. SQLite writes so many in about 20 ms, even if none of them is in the index yet.
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
  readonly ownerNumber: number; // title, filename and text are words between blanks
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

/** Writes the words of an entry, each part in a transaction of its own. No search finds them until the entry refers to them. */
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

/** The outcome of {@link switchTo}. */
interface Switched {
  readonly isOver: boolean; // false: another process removed parts of the entry, which must be written again
  readonly unusedWriteId: string | null; // parts that no entry uses now
}

/** Replaces the entry of a document in one transaction, unless a higher version is stored. */
const switchTo = (
  database: Database,
  entry: StoredEntry,
  written: WrittenParts | undefined,
  words: string,
): Promise<Switched> =>
  database.write(() => {
    const before = findEntry(database, entry.documentId);
    if (before !== undefined && before.version > entry.version) {
      return { isOver: true, unusedWriteId: written?.writeId ?? null };
    }
    if (written !== undefined) {
      const sql = 'SELECT count(*) AS count FROM search_parts WHERE document_id = ? AND write_id = ?';
      const found = database.one<{ count: number }>(sql, entry.documentId, written.writeId);
      if (found?.count !== written.count) return { isOver: false, unusedWriteId: written.writeId };
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
    if (id === undefined) throw new TypeError('A row that was written was not returned');
    database.run(PUT_TEXTS, id, title, filename, text);
    database.run('DELETE FROM search_words WHERE rowid = ?', id);
    if (written === undefined) database.run(PUT_WORDS, id, ownerPrefix(entry.ownerNumber), words);
    return { isOver: true, unusedWriteId: before?.write_id ?? null };
  });

/**
 * Stores an entry, as the port says. An entry with few different words is one row of the full-text index, which has the id
 * of the entry. The words of any other entry are written in parts before it, so that no transaction takes long: a search
 * finds the old entry until one short transaction switches to the new one. Parts that no entry uses are removed after that,
 * or after a crash by a later put or by the removal of the document.
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
  let switched: Switched;
  do {
    const written = words.size > ROW_WORDS ? await writeParts(database, stored, partsOf(words)) : undefined;
    switched = await switchTo(database, stored, written, written === undefined ? indexedWords(prefix, [...words]) : '');
    if (switched.unusedWriteId !== null) await removeUnusedParts(database, 'write_id = ?', switched.unusedWriteId);
  } while (!switched.isOver);
};

/** Removes the entry of a document; no search finds it when the first transaction is over. */
export const removeEntry = async (database: Database, documentId: string): Promise<void> => {
  await database.write(() => {
    const entry = findEntry(database, documentId);
    if (entry === undefined) return;
    database.run('DELETE FROM search_words WHERE rowid = ?', entry.entry_id);
    database.run('DELETE FROM search_entries WHERE entry_id = ?', entry.entry_id);
  });
  await removeUnusedParts(database, 'document_id = ?', documentId);
};
