import type { PageWithoutWords, RecognizedPage, Word } from '../recognition/page.ts';

/**
 * Stores recognized pages, separate from the document records. A page belongs to a document and to a run. A run is one
 * claim of the document by a worker. So a worker that lost its lease cannot change the pages of another worker.
 */
export interface PageRepository {
  /** Stores a page of a run, durably. A page of the same run with the same number is replaced, with its words. */
  put(documentId: string, run: string, page: RecognizedPage): Promise<void>;
  /**
   * Moves the pages of all other runs of this document to `run`, atomically, except pages whose number `run` has
   * already. If several runs have a page with the same number, one of these pages is kept. Resolves with the page
   * numbers of `run`, ascending. Pages that other runs store later stay in these runs.
   */
  adopt(documentId: string, run: string): Promise<readonly number[]>;
  /** The pages of a run without their words, by number, ascending. Empty if the run has no pages. */
  list(documentId: string, run: string): Promise<readonly PageWithoutWords[]>;
  /** The words of one page in reading order, `undefined` if the run has no such page. */
  words(documentId: string, run: string, number: number): Promise<readonly Word[] | undefined>;
  /** Removes the pages of all runs of the document except `run`. */
  removeOthers(documentId: string, run: string): Promise<void>;
  /** Removes all pages of the document. Removing no pages succeeds. */
  removeAll(documentId: string): Promise<void>;
}
