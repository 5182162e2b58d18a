import type { Revision } from '../revision/revision.ts';

/** Stores all revisions of the documents' texts. A stored revision never changes. */
export interface RevisionRepository {
  /**
   * Stores the next revision of the document, durably, and resolves with it. Its number is one higher than that of the
   * newest revision (1 for the first). Throws `REVISION_CONFLICT` if `expectedNewest` is given (0: no revision yet) and
   * is not the number of the newest revision. Each of several concurrent calls gets a different number.
   */
  append(documentId: string, revision: Omit<Revision, 'number'>, expectedNewest?: number): Promise<Revision>;
  /** The revision with the highest number, `undefined` without revisions. */
  newest(documentId: string): Promise<Revision | undefined>;
  /** The revision with this number, `undefined` if it does not exist. Any number is allowed. */
  find(documentId: string, number: number): Promise<Revision | undefined>;
  /** All revisions, newest first. */
  list(documentId: string): Promise<readonly Revision[]>;
  /** Removes all revisions of the document. Removing no revisions succeeds. */
  removeAll(documentId: string): Promise<void>;
}
