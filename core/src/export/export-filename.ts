import { cleanFilename } from '../document/filename.ts';
import type { ExportFormat } from './exported-text.ts';

// What Windows refuses in a name, with the line separators; controls and bidi controls are seen to by `cleanFilename`.
const SEPARATORS = /[/\\:|]/g;
const FORBIDDEN = /[*?"<>\s]+/g;
const ENDS = /^[. ]+|[. ]+$/g;
// Names of devices on Windows, whatever follows after a dot (Microsoft, "Naming Files, Paths, and Namespaces").
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[. ]*(?:\.|$)/i;

/**
 * The file name of an export, made from the title: NFC, without the characters that file systems forbid and without
 * bidi controls, no leading or trailing dots and blanks, no name of a Windows device, at most 255 bytes of UTF-8 with
 * its extension. `document` stands for a title of which nothing is left.
 */
export const exportFilename = (title: string, format: ExportFormat): string => {
  const extension = `.${format}`;
  const plain = title.toWellFormed().normalize('NFC').replace(SEPARATORS, '-').replace(FORBIDDEN, ' ').replace(ENDS, '');
  const stem = cleanFilename(`${plain}x${extension}`).slice(0, -extension.length - 1);
  return stem;
};
