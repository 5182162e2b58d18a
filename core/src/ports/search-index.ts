import type { Page, PageRequest } from '../document/paging.ts';
import type { SearchQuery } from '../search/query.ts';
import type { SearchEntry } from '../search/search-entry.ts';

/**
 * A full-text index of documents. Its words are the tokens that `searchTokens` makes of title, file name and text, for
 * entries and queries alike. Calls may overlap, in any number of processes on the same store.
 */
export interface SearchIndex {
  /**
   * Stores the entry of a document, durably, and replaces an earlier entry atomically: a concurrent search sees either
   * the old or the new entry, and every search that starts after this call has resolved sees the new one. No effect if
   * an entry with a higher version is stored.
   */
  put(entry: SearchEntry): Promise<void>;
  /** The version of the document's entry, `undefined` if it has none. */
  versionOf(documentId: string): Promise<number | undefined>;
  /**
   * The ids of the owner's documents that match. A document matches if each term of `query.all` occurs in its title,
   * file name or text, and no term of `query.none` does. A term of several tokens occurs if these tokens follow each
   * other in one field. The best match comes first: by the number of terms in the title, then in the file name, then by
   * the sum of the `frequencyScore` of the terms in the text, which is ignored above `MAX_COUNTED_CHARACTERS`. Equal
   * matches are ordered by `receivedAt` descending, then id descending. `total` counts all matches. Neither the result
   * nor the time depends on the documents of other owners. The index may refuse a search with `VALIDATION_ERROR` if it
   * takes longer than `SEARCH_TIMEOUT_MS` or has more words than the query of a client may have (`MAX_QUERY_WORDS`).
   */
  search(ownerId: string, query: SearchQuery, page: PageRequest): Promise<Page<string>>;
  /**
   * Up to `limit` ids of documents that have an entry, higher than `after` (`undefined`: from the first), ascending.
   */
  scan(after: string | undefined, limit: number): Promise<readonly string[]>;
  /** Removes the entry of a document. Removing an entry that does not exist succeeds. */
  remove(documentId: string): Promise<void>;
}
