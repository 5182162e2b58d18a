import {
  countOccurrences,
  frequencyScore,
  matches,
  searchTokens,
  type Page,
  type PageRequest,
  type SearchEntry,
  type SearchIndex,
  type SearchQuery,
  type SearchTerm,
} from '@palimpsest/core';
import type { MemoryStore, StoredSearchEntry } from './memory-store.ts';

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** The ranks of a match, most important first: terms in the title, terms in the file name, score in the text. */
const ranksOf = ({ title, filename, text }: StoredSearchEntry, terms: readonly SearchTerm[]): readonly number[] => {
  const { length } = text.join(' ');
  return [
    terms.filter((term) => countOccurrences(term, title) > 0).length,
    terms.filter((term) => countOccurrences(term, filename) > 0).length,
    terms.reduce((sum, term) => sum + frequencyScore(countOccurrences(term, text), length), 0),
  ];
};

/** A search index in memory. A search looks at all entries of the owner. */
export class MemorySearchIndex implements SearchIndex {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async put({ documentId, ownerId, receivedAt, version, title, filename, text }: SearchEntry): Promise<void> {
    const stored = this.#store.searchEntries.get(documentId);
    if (stored !== undefined && stored.version > version) return;
    this.#store.searchEntries.set(documentId, {
      documentId,
      ownerId,
      receivedAt,
      version,
      title: searchTokens(title),
      filename: searchTokens(filename),
      text: searchTokens(text),
    });
  }

  async versionOf(documentId: string): Promise<number | undefined> {
    return this.#store.searchEntries.get(documentId)?.version;
  }

  async search(ownerId: string, query: SearchQuery, { limit, offset }: PageRequest): Promise<Page<string>> {
    const found = [...this.#store.searchEntries.values()]
      .filter((entry) => entry.ownerId === ownerId && matches(query, [entry.title, entry.filename, entry.text]))
      .map((entry) => ({ entry, ranks: ranksOf(entry, query.all) }))
      .sort(
        (a, b) =>
          a.ranks.map((rank, i) => compare(b.ranks[i] ?? 0, rank)).find((order) => order !== 0) ??
          (compare(b.entry.receivedAt, a.entry.receivedAt) || compare(b.entry.documentId, a.entry.documentId)),
      );
    return { items: found.slice(offset, offset + limit).map(({ entry }) => entry.documentId), total: found.length };
  }

  async scan(after: string | undefined, limit: number): Promise<readonly string[]> {
    const rest = [...this.#store.searchEntries.keys()].filter((id) => after === undefined || id > after);
    return rest.sort(compare).slice(0, limit);
  }

  async remove(documentId: string): Promise<void> {
    this.#store.searchEntries.delete(documentId);
  }
}
