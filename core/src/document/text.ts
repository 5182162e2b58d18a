// NUL, and the C0 and C1 controls except tab, line feed, form feed and carriage return.
const CONTROLS = /[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F]/g;

/**
 * The text of an engine or a text layer in the form that is stored: well-formed Unicode (lone surrogates become
 * U+FFFD), without NUL and other control characters, and with `\n` as line end. A form feed becomes a line end, because
 * form feeds separate the pages of a document.
 */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\f\u0085\u2028\u2029]/g, '\n')
    .replace(CONTROLS, '');

/** The limit for all pages of a document together, in UTF-16 code units: about ten times the length of a long novel. */
export const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

/** The separator of pages in the text of a document. */
export const PAGE_BREAK = '\f';

/** The text of a document, made from the texts of its pages. */
export const joinPages = (texts: readonly string[]): string => texts.join(PAGE_BREAK);

/** Whether a text from a user can be stored unchanged: well-formed Unicode without NUL. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
