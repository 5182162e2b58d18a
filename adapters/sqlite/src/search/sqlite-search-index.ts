import type { Page, PageRequest, SearchEntry, SearchIndex, SearchQuery } from '@palimpsest/core';
import type { Database } from '../database.ts';
import { findEntry } from './entry-records.ts';
import { putEntry, removeEntry } from './entry-writer.ts';
import type { DatabaseLocation, SearchPool } from './search-pool.ts';

// Indexing a text of this length blocks the process for about 15 ms, or for 45 ms if its script has no spaces.
const SHORT_LENGTH = 128 * 1024; // UTF-16 code units

const FIRST_IDS = `
  SELECT document_id FROM search_entries UNION SELECT document_id FROM search_parts ORDER BY document_id LIMIT ?`;
const NEXT_IDS = `
  SELECT document_id FROM search_entries WHERE document_id > ?1
  UNION SELECT document_id FROM search_parts WHERE document_id > ?1 ORDER BY document_id LIMIT ?2`;

/**
 * A search index on FTS5 of SQLite. If more than 100,000 entries match, they are sorted only by time, the newest first.
 * Searches and puts of long texts run in threads.
 */
export class SqliteSearchIndex implements SearchIndex {
  readonly #database: Database;
  readonly #location: DatabaseLocation;
  readonly #pool: SearchPool;

  /** `location` must be the file of `database`. */
  constructor(database: Database, location: DatabaseLocation, pool: SearchPool) {
    this.#database = database;
    this.#location = location;
    this.#pool = pool;
  }

  async put({ documentId, ownerId, receivedAt, version, title, filename, text }: SearchEntry): Promise<void> {
    const entry: SearchEntry = { documentId, ownerId, receivedAt, version, title, filename, text };
    const stored = await this.versionOf(documentId);
    if (stored !== undefined && stored > version) return;
    if (text.length > SHORT_LENGTH) await this.#pool.put({ location: this.#location, entry });
    else await putEntry(this.#database, entry);
  }

  async versionOf(documentId: string): Promise<number | undefined> {
    return (await this.#database.read(() => findEntry(this.#database, documentId)))?.version;
  }

  search(ownerId: string, query: SearchQuery, page: PageRequest): Promise<Page<string>> {
    return this.#pool.search({ location: this.#location, ownerId, query, page });
  }

  /** The documents that have an entry, and the documents that have only parts of a put that crashed or is running. */
  async scan(after: string | undefined, limit: number): Promise<readonly string[]> {
    const rows = await this.#database.read(() =>
      after === undefined
        ? this.#database.all<{ readonly document_id: string }>(FIRST_IDS, limit)
        : this.#database.all<{ readonly document_id: string }>(NEXT_IDS, after, limit),
    );
    return rows.map((row) => row.document_id);
  }

  async remove(documentId: string): Promise<void> {
    await removeEntry(this.#database, documentId);
  }
}
