import type { DeletingDocument, Document } from '../../document/document.ts';
import { markDeleted } from '../../document/lifecycle.ts';
import type { Actor } from '../../document/visibility.ts';
import type { Ports } from '../../ports/index.ts';
import { findVisible } from './find-document.ts';

type Stores = Pick<Ports, 'documents' | 'pages' | 'revisions' | 'searchIndex' | 'blobs'>;

/**
 * Removes all data of a deleted document. The record is removed last: if the process dies, the cleanup job finds the
 * record and continues. Safe to repeat.
 */
export const purgeDocument =
  ({ documents, pages, revisions, searchIndex, blobs }: Stores) =>
  async (document: Document): Promise<void> => {
    await searchIndex.remove(document.id);
    await blobs.delete(document.blobKey);
    await pages.removeAll(document.id);
    await revisions.removeAll(document.id);
    await documents.remove(document.id);
  };

/**
 * Deletes a document in any status. When it resolves, the owner does not see the document any more. Its file and texts
 * are removed at once, unless a worker holds its lease; then the cleanup job removes them when the lease has expired.
 * Throws `DOCUMENT_NOT_FOUND`.
 */
export const deleteDocument =
  (ports: Stores & Pick<Ports, 'clock' | 'faults'>) =>
  async (actor: Actor, id: string): Promise<void> => {
    const { documents, searchIndex, clock, faults } = ports;
    let deleted: DeletingDocument;
    do {
      deleted = markDeleted(await findVisible(ports)(actor, id), clock.now());
    } while (!(await documents.replace(deleted)));
    try {
      // Searches must not find the document any more, also while a worker holds its lease.
      if (deleted.purgeAfter > clock.now()) await searchIndex.remove(deleted.id);
      else await purgeDocument(ports)(deleted);
    } catch (error) {
      faults.report(error, 'removing the data of a deleted document; the cleanup job continues it');
    }
  };
