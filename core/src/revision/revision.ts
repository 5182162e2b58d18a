import { isStorableText } from '../document/text.ts';
import { AppError } from '../errors.ts';
import { utf8Length, type Instant } from '../units.ts';

export const MAX_REVISION_BYTES = 5 * 1024 * 1024;

/** `text` unchanged if it can be stored as a revision, otherwise throws `VALIDATION_ERROR`. It may be empty. */
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

/** The error for a revision that does not follow the newest one. */
export const revisionConflict = (): AppError =>
  new AppError(
    'REVISION_CONFLICT',
    'The document was changed since you loaded it. Load it again and repeat your changes.',
  );

/** One saved revision of a document's text. */
export interface Revision {
  readonly number: number; // from 1, without gaps
  readonly revisedAt: Instant;
  readonly text: string;
}
