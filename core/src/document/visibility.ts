import { AppError } from '../errors.ts';
import type { CompletedDocument, Document, VisibleDocument } from './document.ts';

/** The account on whose behalf a use case runs. */
export interface Actor {
  readonly accountId: string;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `id` has the form of a document id: a lowercase, hyphenated UUID. */
export const isDocumentId = (id: string): boolean => ID.test(id);

/**
 * The document if the actor may see it. Another owner's document, a deleted one and a missing one throw the same
 * `DOCUMENT_NOT_FOUND`.
 */
export const visibleTo = (actor: Actor, document: Document | undefined): VisibleDocument => {
  if (document === undefined || document.status === 'deleting' || document.ownerId !== actor.accountId) {
    throw new AppError('DOCUMENT_NOT_FOUND', 'Document not found.');
  }
  return document;
};

/** The document if its text can be revised, exported and sent, otherwise throws `DOCUMENT_NOT_COMPLETED`. */
export const completedDocument = (document: VisibleDocument): CompletedDocument => {
  if (document.status === 'completed') return document;
  throw new AppError(
    'DOCUMENT_NOT_COMPLETED',
    document.status === 'failed'
      ? 'The text of this document could not be read, so there is nothing to work on.'
      : 'This document is still being processed. Try again when its status is completed.',
  );
};
