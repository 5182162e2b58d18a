import { AppError } from '../errors.ts';
import { titleFromFilename } from './filename.ts';

export const MAX_TITLE_CHARACTERS = 300;

// Control characters and direction overrides would garble a line of text.
const FORBIDDEN = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/**
 * The title of a document: the given title on one line and trimmed, or the file name without its extension if the title
 * is missing or blank. Over 300 characters (code points) throws `VALIDATION_ERROR`.
 */
export const documentTitle = (given: string | undefined, filename: string): string => {
  const title = (given ?? '').toWellFormed().normalize('NFC').replace(FORBIDDEN, '').replace(/\s+/g, ' ').trim();
  if ([...title].length > MAX_TITLE_CHARACTERS) {
    throw new AppError('VALIDATION_ERROR', `title: use at most ${MAX_TITLE_CHARACTERS} characters.`);
  }
  return title === '' ? [...titleFromFilename(filename)].slice(0, MAX_TITLE_CHARACTERS).join('') : title;
};
