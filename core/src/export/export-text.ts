import { cleanFilename } from '../document/filename.ts';
import { PAGE_BREAK } from '../document/text.ts';
import type { ExportedLine, ExportedText, ExportFormat } from './exported-text.ts';
import { xmlSafe, xmlSafePages } from './xml-safe.ts';

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const FORM_FEED = PAGE_BREAK.charCodeAt(0);

// Lazy, because for a text that consists only of line ends, a list of its lines would need a hundred times its memory.
function* linesOf(text: string): Generator<ExportedLine> {
  let [page, startsPage, afterEmpty] = [1, true, false];
  let [start, isEmpty] = [0, true];
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : LINE_FEED;
    if (unit !== LINE_FEED && unit !== CARRIAGE_RETURN && unit !== FORM_FEED) {
      isEmpty &&= unit === SPACE || unit === TAB;
      continue;
    }
    yield { text: text.slice(start, i), page, startsPage, startsParagraph: startsPage || (afterEmpty && !isEmpty) };
    if (unit === CARRIAGE_RETURN && text.charCodeAt(i + 1) === LINE_FEED) i++;
    startsPage = unit === FORM_FEED;
    if (startsPage) page++;
    afterEmpty = isEmpty && !startsPage;
    [start, isEmpty] = [i + 1, true];
  }
}

/**
 * The export of `text`, with `title` as heading if it is `formatted`. Line ends (`\n`, `\r\n`, `\r`) separate lines,
 * and form feeds separate pages. A line of white space counts as empty for the paragraphs. Characters that XML does not
 * allow are replaced (see `xmlSafe`).
 */
export const exportedText = (title: string, text: string, formatted: boolean): ExportedText => {
  const safe = xmlSafePages(text);
  return { heading: formatted ? xmlSafe(title) : undefined, lines: () => linesOf(safe) };
};

// Characters that file systems refuse in a name, and white space of any kind.
const SEPARATORS = /[/\\:|]/g;
const FORBIDDEN = /[*?"<>\s]+/g;
// C0 and C1 controls, DEL, and the characters that change the direction of text.
const INVISIBLE = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
const ENDS = /^[. ]+|[. ]+$/g;
// Devices on Windows, with any extension (Microsoft: "Naming Files, Paths, and Namespaces").
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

/**
 * The file name of an export, made from the title: NFC, without control characters and characters that file systems
 * forbid, without dots or spaces at its ends, never the name of a Windows device, at most 255 bytes of UTF-8 with its
 * extension, which is the format. `document` if nothing of the title is left.
 */
export const exportFilename = (title: string, format: ExportFormat | 'pdf'): string => {
  const plain = title
    .toWellFormed()
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(SEPARATORS, '-')
    .replace(FORBIDDEN, ' ')
    .replace(ENDS, '');
  const stem = plain === '' ? 'document' : DEVICE.test(plain) ? `_${plain}` : plain;
  const extension = `.${format}`;
  const cut = cleanFilename(`${stem}${extension}`).slice(0, -extension.length);
  return `${cut.replace(ENDS, '')}${extension}`;
};
