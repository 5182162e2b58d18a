import { PAGE_BREAK } from '../document/text.ts';
import { xmlSafe, xmlSafePages } from './xml-safe.ts';

/** The office formats that a text is exported in. */
export const exportFormats = ['docx', 'xlsx'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** One line of a text with its place. */
export interface ExportedLine {
  readonly text: string; // without its line end; what XML can hold (see `xmlSafe`)
  readonly page: number; // from 1
  readonly startsPage: boolean; // the first line of a page, of the first page too
  readonly startsParagraph: boolean; // the first line of a page, or one with letters after an empty one
}

/** A text as it is exported. */
export interface ExportedText {
  readonly heading: string | undefined; // the title as heading, with pages and paragraphs kept apart; `undefined`: the text alone
  readonly lines: () => Iterable<ExportedLine>; // in order; may be asked for again
}

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const FORM_FEED = PAGE_BREAK.charCodeAt(0);

// One line at a time: a text of line ends alone would take a hundred times its size as a list.
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
 * `text` as it is exported, under `title` if it is `formatted`. Line ends (`\n`, `\r\n`, `\r`) part lines, so that there
 * is one more line than line ends, and form feeds part pages. A line of blanks alone counts as empty where paragraphs
 * are told apart. What XML cannot hold is replaced (see `xmlSafe`).
 */
export const exportedText = (title: string, text: string, formatted: boolean): ExportedText => {
  const safe = xmlSafePages(text);
  return { heading: formatted ? xmlSafe(title) : undefined, lines: () => linesOf(safe) };
};
