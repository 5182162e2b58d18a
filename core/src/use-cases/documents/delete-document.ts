import type { DeletingDocument, Document } from '../../document/document.ts';
import { markDeleted } from '../../document/lifecycle.ts';
import type { Actor } from '../../document/visibility.ts';
import type { Ports } from '../../ports/index.ts';
import { findVisible } from './find-document.ts';

type Stores = Pick<Ports, 'documents' | 'pages' | 'revisions' | 'searchIndex' | 'blobs'>;

/**
 * Removes everything that a deleted document left behind, the record last, so that whoever dies in the middle leaves a
 * trace for the sweep. Safe to repeat.
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
 * Deletes a document in any status. It is gone for its owner when this resolves; its file and texts go at once too,
 * unless a worker still holds it: then the sweep removes them when the worker's lease has ended. Throws
 * `DOCUMENT_NOT_FOUND`.
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
      // A worker that still holds the document must not hold up that it is found no more.
      if (deleted.purgeAfter > clock.now()) await searchIndex.remove(deleted.id);
      else await purgeDocument(ports)(deleted);
    } catch (error) {
      faults.report(error, 'removing what a deleted document left; the sweep will do it');
    }
  };
