import type { Page, PageRequest, SearchEntry, SearchIndex, SearchQuery } from '@palimpsest/core';
import type { Database } from './database.ts';
import type { LongPuts } from './long-puts.ts';
import { bestFirst, type FoundEntry } from './search-ranks.ts';
import { anyOf, indexedText, matchOf, ownerPrefix } from './search-words.ts';

interface Found {
  readonly count: number;
  readonly ids: string; // a JSON array
}

type Scanned = Pick<FoundEntry, 'document_id'>;

// This long a text holds up the process for about 15 ms, in scripts without spaces for 45 ms, and ten times as long a text for
// ten times that. A thread takes 0.1 to 0.3 s to begin.
const SHORT_LENGTH = 128 * 1024; // UTF-16 code units

/** Where more entries match, the order is a plainer one. */
const RANKED_ENTRIES = 5000;

const PUT_ENTRY = `
  INSERT INTO search_entries (document_id, owner_number, received_at, version, text_length) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (document_id) DO UPDATE SET owner_number = excluded.owner_number, received_at = excluded.received_at,
    version = excluded.version, text_length = excluded.text_length
  WHERE version <= excluded.version
  RETURNING entry_id`;
const FOUND = 'SELECT count(*) AS count, json_group_array(rowid) AS ids FROM search_words WHERE search_words MATCH ?';
const FOUND_ENTRIES = `
  SELECT entry_id, document_id, text_length FROM search_entries WHERE entry_id IN (SELECT value FROM json_each(?))
  ORDER BY received_at DESC, document_id DESC`;
const NEWEST_FIRST = `
  SELECT document_id FROM search_entries INDEXED BY search_entries_listed
  WHERE owner_number = ? AND entry_id IN (SELECT value FROM json_each(?))
  ORDER BY received_at DESC, document_id DESC LIMIT ? OFFSET ?`;
const FIRST_IDS = 'SELECT document_id FROM search_entries ORDER BY document_id LIMIT ?';
const NEXT_IDS = 'SELECT document_id FROM search_entries WHERE document_id > ? ORDER BY document_id LIMIT ?';
const MATCHING = '(SELECT rowid FROM search_words WHERE search_words MATCH ?)';
const TITLES_FIRST = `
  SELECT document_id FROM search_entries INDEXED BY search_entries_listed
  WHERE owner_number = ? AND entry_id IN (SELECT value FROM json_each(?))
  ORDER BY entry_id IN ${MATCHING} DESC, entry_id IN ${MATCHING} DESC, received_at DESC, document_id DESC LIMIT ? OFFSET ?`;

/**
 * A search index on FTS5 of SQLite. The order is by how many of the terms are in the title, then by how many are in the file
 * name, then by how often they are in the text for its length. How often does not count where that were more than 16 Mi
 * characters to look through, and where more than 5,000 entries match, what has any of the terms in its title comes first,
 * then what has any in its file name.
 */
export class SqliteSearchIndex implements SearchIndex {
  readonly #database: Database;
  readonly #longPuts: LongPuts | undefined;

  /** Long texts are put by `longPuts`, which works on the same file; without it here, and everything else waits. */
  constructor(database: Database, longPuts?: LongPuts) {
    this.#database = database;
    this.#longPuts = longPuts;
  }

  async put({ documentId, ownerId, receivedAt, version, title, filename, text }: SearchEntry): Promise<void> {
    const known = await this.versionOf(documentId);
    if (known !== undefined && known > version) return;
    if (this.#longPuts !== undefined && text.length > SHORT_LENGTH) {
      await this.#longPuts.put({ documentId, ownerId, receivedAt, version, title, filename, text });
      return;
    }
    const ownerNumber = (await this.#database.read(() => this.#findOwner(ownerId))) ?? (await this.#addOwner(ownerId));
    const prefix = ownerPrefix(ownerNumber);
    const words = {
      title: await indexedText(prefix, title),
      filename: await indexedText(prefix, filename),
      text: await indexedText(prefix, text),
    };
    await this.#database.write(() => {
      const entry = this.#database.one<{ entry_id: number }>(
        PUT_ENTRY,
        documentId,
        ownerNumber,
        receivedAt,
        version,
        words.text.plain.length,
      );
      if (entry === undefined) return; // a higher version came meanwhile
      const { entry_id: id } = entry;
      this.#database.run(
        'INSERT OR REPLACE INTO search_texts (entry_id, title, filename, text) VALUES (?, ?, ?, ?)',
        id,
        words.title.plain,
        words.filename.plain,
        words.text.plain,
      );
      this.#database.run('DELETE FROM search_words WHERE rowid = ?', id);
      this.#database.run(
        'INSERT INTO search_words (rowid, owner, title, filename, text) VALUES (?, ?, ?, ?, ?)',
        id,
        prefix,
        words.title.indexed,
        words.filename.indexed,
        words.text.indexed,
      );
    });
  }

  async versionOf(documentId: string): Promise<number | undefined> {
    return (await this.#database.read(() => this.#findEntry(documentId)))?.version;
  }

  search(ownerId: string, query: SearchQuery, page: PageRequest): Promise<Page<string>> {
    return this.#database.read(() => {
      const ownerNumber = this.#findOwner(ownerId);
      if (ownerNumber === undefined) return { items: [], total: 0 };
      const prefix = ownerPrefix(ownerNumber);
      const found = this.#database.one<Found>(FOUND, matchOf(prefix, query)) ?? { count: 0, ids: '[]' };
      const items =
        found.count > RANKED_ENTRIES ? this.#plainly(ownerNumber, found.ids, query, page) : this.#ranked(found.ids, query, page);
      return { items, total: found.count };
    });
  }

  scan(after: string | undefined, limit: number): Promise<readonly string[]> {
    return this.#database.read(() => {
      const rows =
        after === undefined
          ? this.#database.all<Scanned>(FIRST_IDS, limit)
          : this.#database.all<Scanned>(NEXT_IDS, after, limit);
      return rows.map((row) => row.document_id);
    });
  }

  async remove(documentId: string): Promise<void> {
    await this.#database.write(() => {
      const entry = this.#findEntry(documentId);
      if (entry === undefined) return;
      this.#database.run('DELETE FROM search_words WHERE rowid = ?', entry.entry_id);
      this.#database.run('DELETE FROM search_entries WHERE entry_id = ?', entry.entry_id);
    });
  }

  #ranked(ids: string, { all }: SearchQuery, { limit, offset }: PageRequest): readonly string[] {
    const entries = this.#database.all<FoundEntry>(FOUND_ENTRIES, ids);
    return bestFirst(this.#database, all, entries)
      .slice(offset, offset + limit)
      .map((entry) => entry.document_id);
  }

  #plainly(ownerNumber: number, ids: string, { all }: SearchQuery, { limit, offset }: PageRequest): readonly string[] {
    const rows = (sql: string, ...ofTerms: readonly string[]) =>
      this.#database.all<Pick<FoundEntry, 'document_id'>>(sql, ownerNumber, ids, ...ofTerms, limit, offset);
    const any = all.length === 0 ? undefined : anyOf(ownerPrefix(ownerNumber), all);
    const found = any === undefined ? rows(NEWEST_FIRST) : rows(TITLES_FIRST, `{title} : ${any}`, `{filename} : ${any}`);
    return found.map((row) => row.document_id);
  }

  #findOwner(ownerId: string): number | undefined {
    const row = this.#database.one<{ owner_number: number; owner_id: string }>(
      'SELECT owner_number, owner_id FROM search_owners WHERE owner_id = ?',
      ownerId,
    );
    // SQLite stores U+FFFD for a lone surrogate, which must not find an owner of another name.
    return row?.owner_id === ownerId ? row.owner_number : undefined;
  }

  #addOwner(ownerId: string): Promise<number> {
    return this.#database.write(() => {
      this.#database.run('INSERT INTO search_owners (owner_id) VALUES (?) ON CONFLICT DO NOTHING', ownerId);
      const ownerNumber = this.#findOwner(ownerId);
      if (ownerNumber === undefined) throw new TypeError('The id of an owner has a lone surrogate');
      return ownerNumber;
    });
  }

  #findEntry(documentId: string): { readonly entry_id: number; readonly document_id: string; readonly version: number } | undefined {
    const row = this.#database.one<{ entry_id: number; document_id: string; version: number }>(
      'SELECT entry_id, document_id, version FROM search_entries WHERE document_id = ?',
      documentId,
    );
    return row?.document_id === documentId ? row : undefined;
  }
}
