import type { ExportedText } from '@palimpsest/core';
import { escapeXml, splitText } from '@palimpsest/office-package';
import { isRightToLeft } from './direction.ts';
import { HEADING_STYLE } from './package-frame.ts';

const MAX_PIECE_LENGTH = 16 * 1024; // UTF-16 units of text in one string of XML

/** The content of a run: `<w:tab/>` for each tab, and `<w:t>` that keeps its blanks for all other text. */
function* runContent(text: string): Generator<string> {
  for (const piece of splitText(text, MAX_PIECE_LENGTH)) {
    const strings = escapeXml(piece).split('\t');
    yield strings.map((string) => (string === '' ? '' : `<w:t xml:space="preserve">${string}</w:t>`)).join('<w:tab/>');
  }
}

function* run(text: string, breaksLine: boolean): Generator<string> {
  yield `<w:r>${isRightToLeft(text) ? '<w:rPr><w:rtl/></w:rPr>' : ''}${breaksLine ? '<w:br/>' : ''}`;
  yield* runContent(text);
  yield '</w:r>';
}

/** The start of a paragraph. The schema prescribes the order of the properties. */
const startOf = (text: string, startsPage: boolean, style?: string): string => {
  const properties = [
    style === undefined ? '' : `<w:pStyle w:val="${style}"/>`,
    startsPage ? '<w:pageBreakBefore/>' : '',
    isRightToLeft(text) ? '<w:bidi/>' : '',
  ].join('');
  return properties === '' ? '<w:p>' : `<w:p><w:pPr>${properties}</w:pPr>`;
};

const END = '</w:p>';

function* paragraph(text: string, startsPage = false, style?: string): Generator<string> {
  yield startOf(text, startsPage, style);
  if (text !== '') yield* run(text, false);
  yield END;
}

/** One paragraph for each line. */
function* plainParagraphs(text: ExportedText): Generator<string> {
  for (const line of text.lines()) yield* paragraph(line.text);
}

const isBlank = (text: string): boolean => /^[ \t]*$/.test(text);

/**
 * The heading, then each page on a new page. Line breaks separate the lines of a paragraph. One empty line between two
 * paragraphs is the paragraph break; each further one becomes an empty paragraph. The last empty line of a page comes
 * from the final line end, so it is dropped.
 */
function* formattedParagraphs(text: ExportedText, heading: string): Generator<string> {
  yield* paragraph(heading, false, HEADING_STYLE);
  let [startsPage, hasText, isOpen, emptyLines] = [false, false, false, 0];
  function* emptyParagraphs(count: number): Generator<string> {
    for (let i = 0; i < count; i++, startsPage = false) yield* paragraph('', startsPage);
  }
  function* endPage(): Generator<string> {
    if (isOpen) yield END;
    yield* emptyParagraphs(hasText ? emptyLines - 1 : emptyLines);
  }
  for (const line of text.lines()) {
    if (line.startsPage && line.page > 1) {
      yield* endPage();
      [startsPage, hasText, isOpen, emptyLines] = [true, false, false, 0];
    }
    if (isBlank(line.text)) {
      emptyLines++;
      yield ''; // lets the writer pause during a long sequence of empty lines
      continue;
    }
    const continues = isOpen && emptyLines === 0;
    if (!continues) {
      if (isOpen) yield END;
      yield* emptyParagraphs(hasText ? emptyLines - 1 : emptyLines);
      yield startOf(line.text, startsPage);
      [startsPage, hasText, isOpen, emptyLines] = [false, true, true, 0];
    }
    yield* run(line.text, continues);
  }
  yield* endPage();
}

/** The XML of the paragraphs of a text, in short strings. */
export const paragraphXml = (text: ExportedText): Generator<string> =>
  text.heading === undefined ? plainParagraphs(text) : formattedParagraphs(text, text.heading);
