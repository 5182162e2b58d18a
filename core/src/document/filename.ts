import { utf8Length } from '../units.ts';

const MAX_FILENAME_BYTES = 255;
/** Longer names are refused, not shortened. */
export const MAX_FILENAME_CHARACTERS = 1000;
const FALLBACK_NAME = 'document';

// C0 and C1 controls, DEL, and the characters that change the direction of text (UAX #9).
const FORBIDDEN = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

const splitExtension = (name: string): readonly [stem: string, extension: string] => {
  const dot = name.lastIndexOf('.');
  return dot <= 0 || dot === name.length - 1 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
};

const cutToBytes = (text: string, maxBytes: number): string => {
  let result = '';
  let bytes = 0;
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > maxBytes) break;
    result += character;
  }
  return result;
};

/**
 * A client's file name in the form that is stored: well-formed Unicode in NFC, without control and direction
 * characters, only the last part of a path (`/` and `\` separate its parts). A name over 255 bytes of UTF-8 is cut and
 * keeps its extension. `document` if nothing is left.
 */
export const cleanFilename = (name: string): string => {
  const base = name.toWellFormed().normalize('NFC').replace(FORBIDDEN, '').split(/[/\\]/).pop() ?? '';
  const trimmed = base.trim();
  if (trimmed === '' || /^\.+$/.test(trimmed)) return FALLBACK_NAME;
  const [stem, extension] = splitExtension(trimmed);
  if (utf8Length(extension) > 32) return cutToBytes(trimmed, MAX_FILENAME_BYTES);
  return cutToBytes(stem, MAX_FILENAME_BYTES - utf8Length(extension)) + extension;
};

/** The file name without its extension: the title of a document that was uploaded without a title. */
export const titleFromFilename = (filename: string): string => splitExtension(filename)[0];
