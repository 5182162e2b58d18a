import type { Page, PageRequest } from '../document/paging.ts';
import type { SearchQuery } from '../search/query.ts';
import type { SearchEntry } from '../search/search-entry.ts';

/**
 * Finds documents by their words. Words are the tokens that `searchTokens` makes of title, file name and text, the same
 * for entries and queries. Calls may overlap, in any number of processes on the same store.
 */
export interface SearchIndex {
  /**
   * Stores what can be searched of a document, in place of what was stored before; found by every search that begins
   * after it resolves, and durable. If a higher version is stored, nothing changes.
   */
  put(entry: SearchEntry): Promise<void>;
  /** The version stored of a document, `undefined` if it has no entry. */
  versionOf(documentId: string): Promise<number | undefined>;
  /**
   * The ids of the owner's documents that match: each term of `query.all` occurs in title, file name or text, and none
   * of `query.none` does; a term of several tokens occurs where they follow each other in one of the three. Best match
   * first: a term in a title counts more than in a file name, there more than in a text; more occurrences count more in
   * texts of like length. What is equally good: `receivedAt` descending, then id descending. `total` counts all. Neither the
   * result nor the time that it takes depends on what others own. A search of many words that takes too long may be
   * refused with `VALIDATION_ERROR`.
   */
  search(ownerId: string, query: SearchQuery, page: PageRequest): Promise<Page<string>>;
  /** The ids of up to `limit` documents that have an entry, higher than `after` (`undefined`: from the first), ascending. */
  scan(after: string | undefined, limit: number): Promise<readonly string[]>;
  /** Removes a document's entry. Removing what is gone succeeds. */
  remove(documentId: string): Promise<void>;
}
