import type { CompletedDocument, VisibleDocument } from '../../document/document.ts';
import { completedDocument, isDocumentId, visibleTo, type Actor } from '../../document/visibility.ts';
import type { Ports } from '../../ports/index.ts';

/** The document with this id if the actor may see it; otherwise throws `DOCUMENT_NOT_FOUND`. */
export const findVisible =
  ({ documents }: Pick<Ports, 'documents'>) =>
  async (actor: Actor, id: string): Promise<VisibleDocument> =>
    visibleTo(actor, isDocumentId(id) ? await documents.find(id) : undefined);

/** The completed document with this id. Throws `DOCUMENT_NOT_FOUND` or `DOCUMENT_NOT_COMPLETED`. */
export const findCompleted =
  (ports: Pick<Ports, 'documents'>) =>
  async (actor: Actor, id: string): Promise<CompletedDocument> =>
    completedDocument(await findVisible(ports)(actor, id));
