import { AppError } from '../errors.ts';
import { utf8Length } from '../units.ts';
import type { CompletedDocument, VisibleDocument } from './document.ts';
import { isStorableText } from './text.ts';

export const MAX_REVISION_BYTES = 5 * 1024 * 1024;

/** `text` if it can be stored as a revision, as it is; otherwise throws `VALIDATION_ERROR`. It may be empty. */
export const revisionText = (text: string): string => {
  if (!isStorableText(text)) {
    throw new AppError(
      'VALIDATION_ERROR',
      'revised_text: NUL characters and lone surrogates cannot be stored; remove them.',
    );
  }
  if (utf8Length(text) > MAX_REVISION_BYTES) {
    throw new AppError('VALIDATION_ERROR', 'revised_text: use at most 5 MiB of text in UTF-8.');
  }
  return text;
};

/** The document if its text can be revised, exported and sent; otherwise throws `DOCUMENT_NOT_COMPLETED`. */
export const completedDocument = (document: VisibleDocument): CompletedDocument => {
  if (document.status === 'completed') return document;
  throw new AppError(
    'DOCUMENT_NOT_COMPLETED',
    document.status === 'failed'
      ? 'The text of this document could not be read, so there is nothing to work on.'
      : 'This document is still being processed. Try again when its status is completed.',
  );
};
