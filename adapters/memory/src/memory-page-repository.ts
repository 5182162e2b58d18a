import type { PageRepository, PageWithoutWords, RecognizedPage, Word } from '@palimpsest/core';
import type { MemoryStore } from './memory-store.ts';

/** Recognized pages in memory. */
export class MemoryPageRepository implements PageRepository {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async put(documentId: string, run: string, page: RecognizedPage): Promise<void> {
    this.#pagesOf(documentId, run).set(page.number, structuredClone(page));
  }

  async adopt(documentId: string, run: string): Promise<readonly number[]> {
    const own = this.#pagesOf(documentId, run);
    for (const [otherRun, pages] of this.#runsOf(documentId)) {
      if (otherRun === run) continue;
      for (const [number, page] of pages) {
        if (own.has(number)) continue;
        own.set(number, page);
        pages.delete(number);
      }
    }
    return [...own.keys()].sort((a, b) => a - b);
  }

  async list(documentId: string, run: string): Promise<readonly PageWithoutWords[]> {
    const pages = [...(this.#runsOf(documentId).get(run)?.values() ?? [])].sort((a, b) => a.number - b.number);
    return pages.map(({ words: _words, ...page }) => page);
  }

  async words(documentId: string, run: string, number: number): Promise<readonly Word[] | undefined> {
    return structuredClone(this.#runsOf(documentId).get(run)?.get(number)?.words);
  }

  async removeOthers(documentId: string, run: string): Promise<void> {
    const runs = this.#runsOf(documentId);
    for (const other of runs.keys()) if (other !== run) runs.delete(other);
  }

  async removeAll(documentId: string): Promise<void> {
    this.#store.pages.delete(documentId);
  }

  #runsOf(documentId: string): Map<string, Map<number, RecognizedPage>> {
    return this.#store.pages.get(documentId) ?? new Map<string, Map<number, RecognizedPage>>();
  }

  #pagesOf(documentId: string, run: string): Map<number, RecognizedPage> {
    const runs = this.#runsOf(documentId);
    this.#store.pages.set(documentId, runs);
    const pages = runs.get(run) ?? new Map<number, RecognizedPage>();
    runs.set(run, pages);
    return pages;
  }
}
