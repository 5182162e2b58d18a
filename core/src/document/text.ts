// NUL, and the C0 and C1 controls that no text means: all but tab, line feed, form feed and carriage return.
const CONTROLS = /[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F]/g;

/**
 * What an engine or a text layer gave, as it may be stored: well-formed Unicode (lone surrogates become U+FFFD), no NUL
 * and no other control, line ends as `\n`. A form feed becomes a line end, as it parts the pages of a document.
 */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\f\u0085\u2028\u2029]/g, '\n')
    .replace(CONTROLS, '');

/** Of all pages of a document together, in UTF-16 code units: ten times a long novel. */
export const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

/** What parts the pages in the text of a document. */
export const PAGE_BREAK = '\f';

/** The text of a document from the texts of its pages. */
export const joinPages = (texts: readonly string[]): string => texts.join(PAGE_BREAK);

/** Whether `text` can be stored as a user wrote it: well-formed Unicode without NUL. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
