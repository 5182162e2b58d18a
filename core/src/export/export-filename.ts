import { cleanFilename } from '../document/filename.ts';
import type { ExportFormat } from './exported-text.ts';

// What file systems refuse in a name, and white space of any kind.
const SEPARATORS = /[/\\:|]/g;
const FORBIDDEN = /[*?"<>\s]+/g;
// C0 and C1 controls, DEL, and the characters that turn the direction of text.
const INVISIBLE = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
const ENDS = /^[. ]+|[. ]+$/g;
// Devices on Windows, whatever follows after a dot (Microsoft: "Naming Files, Paths, and Namespaces").
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

/**
 * The file name of an export, made from the title: NFC, without controls and the characters that file systems forbid, no
 * dots or blanks before or behind, no Windows device, at most 255 bytes of UTF-8 with its extension, which is the
 * format. `document` stands for a title of which nothing is left.
 */
export const exportFilename = (title: string, format: ExportFormat): string => {
  const plain = title.toWellFormed().normalize('NFC').replace(INVISIBLE, '').replace(SEPARATORS, '-').replace(FORBIDDEN, ' ').replace(ENDS, '');
  const stem = plain === '' ? 'document' : DEVICE.test(plain) ? `_${plain}` : plain;
  const extension = `.${format}`;
  const cut = cleanFilename(`${stem}${extension}`).slice(0, -extension.length);
  return `${cut.replace(ENDS, '')}${extension}`;
};
