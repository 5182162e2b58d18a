import type { Page, PageRequest, SearchEntry, SearchIndex, SearchQuery } from '@palimpsest/core';
import type { Database } from './database.ts';
import type { LongPuts } from './long-puts.ts';
import type { LongSearches } from './long-searches.ts';
import { searchAtLength, searchShortly, type Owner } from './owner-search.ts';
import { indexedText, ownerPrefix } from './search-words.ts';

/** What does the work that takes long, on the same file. */
export interface LongWork {
  readonly longPuts: LongPuts;
  readonly longSearches: LongSearches;
}

interface Scanned {
  readonly document_id: string;
}

// This long a text holds up the process for about 15 ms, in scripts without spaces for 45 ms, and ten times as long a text for
// ten times that. A thread takes 0.1 to 0.3 s to begin.
const SHORT_LENGTH = 128 * 1024; // UTF-16 code units

const PUT_ENTRY = `
  INSERT INTO search_entries (document_id, owner_number, received_at, version, names_length, text_length)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (document_id) DO UPDATE SET owner_number = excluded.owner_number, received_at = excluded.received_at,
    version = excluded.version, names_length = excluded.names_length, text_length = excluded.text_length
  WHERE version <= excluded.version
  RETURNING entry_id`;
const FIRST_IDS = 'SELECT document_id FROM search_entries ORDER BY document_id LIMIT ?';
const NEXT_IDS = 'SELECT document_id FROM search_entries WHERE document_id > ? ORDER BY document_id LIMIT ?';
/**
 * A search index on FTS5 of SQLite. The order is by how many of the terms are in the title, then by how many are in the file
 * name, then by how often they are in the text for its length. How often does not count where that were more than 16 Mi
 * characters to look through, once for each term; and where more than 5,000 entries match, or their titles and file names
 * were more than that, what has any of the terms in its title comes first, then what has any in its file name.
 */
export class SqliteSearchIndex implements SearchIndex {
  readonly #database: Database;
  readonly #longWork: LongWork | undefined;

  /** Without `longWork` long texts are put and long searches done here, and everything else waits. */
  constructor(database: Database, longWork?: LongWork) {
    this.#database = database;
    this.#longWork = longWork;
  }

  async put({ documentId, ownerId, receivedAt, version, title, filename, text }: SearchEntry): Promise<void> {
    const known = await this.versionOf(documentId);
    if (known !== undefined && known > version) return;
    if (this.#longWork !== undefined && text.length > SHORT_LENGTH) {
      await this.#longWork.longPuts.put({ documentId, ownerId, receivedAt, version, title, filename, text });
      return;
    }
    const ownerNumber =
      (await this.#database.read(() => this.#findOwner(ownerId)))?.owner_number ?? (await this.#addOwner(ownerId));
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
        words.title.plain.length + words.filename.plain.length,
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

  async search(ownerId: string, query: SearchQuery, page: PageRequest): Promise<Page<string>> {
    const searchedBy = <T>(
      search: (database: Database, owner: Owner, query: SearchQuery, page: PageRequest) => T,
    ): Promise<T | Page<string>> =>
      this.#database.read(() => {
        const owner = this.#findOwner(ownerId);
        return owner === undefined ? { items: [], total: 0 } : search(this.#database, owner, query, page);
      });
    if (this.#longWork === undefined) return searchedBy(searchAtLength);
    return (await searchedBy(searchShortly)) ?? this.#longWork.longSearches.search({ ownerId, query, page });
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

  #findOwner(ownerId: string): Owner | undefined {
    const row = this.#database.one<Owner & { readonly owner_id: string }>(
      'SELECT owner_number, owner_id, entry_count, words_length FROM search_owners WHERE owner_id = ?',
      ownerId,
    );
    // SQLite stores U+FFFD for a lone surrogate, which must not find an owner of another name.
    return row?.owner_id === ownerId ? row : undefined;
  }

  #addOwner(ownerId: string): Promise<number> {
    return this.#database.write(() => {
      this.#database.run('INSERT INTO search_owners (owner_id) VALUES (?) ON CONFLICT DO NOTHING', ownerId);
      const ownerNumber = this.#findOwner(ownerId)?.owner_number;
      if (ownerNumber === undefined) throw new TypeError('The id of an owner has a lone surrogate');
      return ownerNumber;
    });
  }

  #findEntry(
    documentId: string,
  ): { readonly entry_id: number; readonly document_id: string; readonly version: number } | undefined {
    const row = this.#database.one<{ entry_id: number; document_id: string; version: number }>(
      'SELECT entry_id, document_id, version FROM search_entries WHERE document_id = ?',
      documentId,
    );
    return row?.document_id === documentId ? row : undefined;
  }
}
