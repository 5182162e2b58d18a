import type { Revision } from '../revision/revision.ts';

/** Keeps every saved revision of the documents' texts. Nothing stored here is ever changed. */
export interface RevisionRepository {
  /**
   * Stores the next revision of the document, durably, and resolves with it: its number is one higher than the newest
   * (1 for the first). With `expectedNewest` (0: none yet) it does so only if that is the newest number, and otherwise
   * throws `REVISION_CONFLICT`. Concurrent calls each get a number of their own.
   */
  append(documentId: string, revision: Omit<Revision, 'number'>, expectedNewest?: number): Promise<Revision>;
  /** The revision with the highest number, `undefined` if there is none. */
  newest(documentId: string): Promise<Revision | undefined>;
  /** The revision with this number, `undefined` if there is none. Any number may be asked for. */
  find(documentId: string, number: number): Promise<Revision | undefined>;
  /** All revisions, newest first. */
  list(documentId: string): Promise<readonly Revision[]>;
  /** Removes all revisions of the document. Removing what is gone succeeds. */
  removeAll(documentId: string): Promise<void>;
}
