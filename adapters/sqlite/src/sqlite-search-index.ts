import type { Page, PageRequest, SearchEntry, SearchIndex, SearchQuery } from '@palimpsest/core';
import type { Database } from './database.ts';
import { bestFirst, type FoundEntry } from './search-ranks.ts';
import { anyOf, indexedText, matchOf, ownerPrefix } from './search-words.ts';

/** Where more entries match, the order is a plainer one. */
const RANKED_ENTRIES = 5000;

const FOUND = 'SELECT rowid AS entry_id FROM search_words WHERE search_words MATCH ? LIMIT ?';
const FOUND_ENTRIES = `
  SELECT entry_id, document_id, text_words FROM search_entries WHERE entry_id IN (SELECT value FROM json_each(?))
  ORDER BY received_at DESC, document_id DESC`;
const COUNT = 'SELECT count(*) AS count FROM search_words WHERE search_words MATCH ?';
const MATCHING = '(SELECT rowid FROM search_words WHERE search_words MATCH ?)';
const NEWEST_FIRST = `
  SELECT document_id FROM search_entries INDEXED BY search_entries_listed WHERE owner_number = ? AND entry_id IN ${MATCHING}
  ORDER BY received_at DESC, document_id DESC LIMIT ? OFFSET ?`;
const TITLES_FIRST = `
  SELECT document_id FROM search_entries INDEXED BY search_entries_listed WHERE owner_number = ? AND entry_id IN ${MATCHING}
  ORDER BY entry_id IN ${MATCHING} DESC, entry_id IN ${MATCHING} DESC, received_at DESC, document_id DESC LIMIT ? OFFSET ?`;

/**
 * A search index on FTS5 of SQLite. The order is by how many of the terms are in the title, then by how many are in the file
 * name, then by how often they are in the text for its length, where at most 5,000 entries match; else what has any
 * term in its title comes first, then in its file name. Only the first 32 terms count for the order.
 */
export class SqliteSearchIndex implements SearchIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put({ documentId, ownerId, receivedAt, version, title, filename, text }: SearchEntry): Promise<void> {
    const known = await this.versionOf(documentId);
    if (known !== undefined && known > version) return;
    const ownerNumber = (await this.#database.read(() => this.#findOwner(ownerId))) ?? (await this.#addOwner(ownerId));
    const prefix = ownerPrefix(ownerNumber);
    const indexed = await indexedText(prefix, text);
    const { words: titleWords } = await indexedText(prefix, title);
    const { words: filenameWords } = await indexedText(prefix, filename);
    await this.#database.write(() => {
      const entry = this.#database.one<{ entry_id: number }>(
        `INSERT INTO search_entries (document_id, owner_number, received_at, version, text_words) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (document_id) DO UPDATE SET owner_number = excluded.owner_number, received_at = excluded.received_at,
           version = excluded.version, text_words = excluded.text_words
         WHERE version <= excluded.version
         RETURNING entry_id`,
        documentId,
        ownerNumber,
        receivedAt,
        version,
        indexed.count,
      );
      if (entry === undefined) return; // a higher version came meanwhile
      this.#database.run('DELETE FROM search_words WHERE rowid = ?', entry.entry_id);
      this.#database.run(
        'INSERT INTO search_words (rowid, owner, title, filename, text) VALUES (?, ?, ?, ?, ?)',
        entry.entry_id,
        prefix,
        titleWords,
        filenameWords,
        indexed.words,
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
      const match = matchOf(prefix, query);
      const found = this.#database.all<{ entry_id: number }>(FOUND, match, RANKED_ENTRIES + 1);
      if (found.length > RANKED_ENTRIES) return this.#searchMany(ownerNumber, match, query, page);
      const entries = this.#database.all<FoundEntry>(FOUND_ENTRIES, JSON.stringify(found.map((row) => row.entry_id)));
      const { limit, offset } = page;
      const items = bestFirst(this.#database, prefix, query.all, entries)
        .slice(offset, offset + limit)
        .map((entry) => entry.document_id);
      return { items, total: found.length };
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

  #searchMany(ownerNumber: number, match: string, { all }: SearchQuery, { limit, offset }: PageRequest): Page<string> {
    const total = this.#database.one<{ count: number }>(COUNT, match)?.count ?? 0;
    const any = all.length === 0 ? undefined : anyOf(ownerPrefix(ownerNumber), all);
    const rows =
      any === undefined
        ? this.#database.all<FoundEntry>(NEWEST_FIRST, ownerNumber, match, limit, offset)
        : this.#database.all<FoundEntry>(
            TITLES_FIRST,
            ownerNumber,
            match,
            `${match} AND {title} : ${any}`,
            `${match} AND {filename} : ${any}`,
            limit,
            offset,
          );
    return { items: rows.map((row) => row.document_id), total };
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
