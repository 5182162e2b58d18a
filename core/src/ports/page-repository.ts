import type { PageWithoutWords, RecognizedPage, Word } from '../recognition/page.ts';

/**
 * Keeps recognised pages apart from the document record. A page belongs to a document and to a run: one worker's hold
 * on the document, so that a worker that lost its hold cannot change what another one writes.
 */
export interface PageRepository {
  /** Stores a page of a run, durably; the same number in the same run is replaced whole, words included. */
  put(documentId: string, run: string, page: RecognizedPage): Promise<void>;
  /**
   * Makes the pages that other runs of this document have stored pages of `run`, atomically, except where `run` has the
   * number already; of several runs with the same number one is kept. Resolves with the numbers that `run` has now,
   * ascending. What other runs store later is theirs alone.
   */
  adopt(documentId: string, run: string): Promise<readonly number[]>;
  /** The pages of a run without their words, by number, ascending. Empty if there are none. */
  list(documentId: string, run: string): Promise<readonly PageWithoutWords[]>;
  /** The words of one page in reading order, `undefined` if the run has no such page. */
  words(documentId: string, run: string, number: number): Promise<readonly Word[] | undefined>;
  /** Removes the pages of all runs of the document but `run`. */
  removeOthers(documentId: string, run: string): Promise<void>;
  /** Removes all pages of the document. Removing what is gone succeeds. */
  removeAll(documentId: string): Promise<void>;
}
