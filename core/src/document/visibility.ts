import { AppError } from '../errors.ts';
import type { Document, VisibleDocument } from './document.ts';

/** Who asks. */
export interface Actor {
  readonly accountId: string;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `id` has the form of a document id: a lowercase, hyphenated UUID. */
export const isDocumentId = (id: string): boolean => ID.test(id);

/**
 * The document if the actor may see it. A document of somebody else, a deleted one and none at all throw the same
 * `DOCUMENT_NOT_FOUND`.
 */
export const visibleTo = (actor: Actor, document: Document | undefined): VisibleDocument => {
  if (document === undefined || document.status === 'deleting' || document.ownerId !== actor.accountId) {
    throw new AppError('DOCUMENT_NOT_FOUND', 'Document not found.');
  }
  return document;
};
