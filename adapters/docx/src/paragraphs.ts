import type { ExportedText } from '@palimpsest/core';
import { isRightToLeft } from './direction.ts';
import { HEADING_STYLE } from './package-frame.ts';

const MAX_PART_LENGTH = 16 * 1024; // UTF-16 units, so that no piece of XML is large

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? '');

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

/** The content of a run. Tabs are elements of their own; everything else is text with its blanks. */
function* runContent(text: string): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + MAX_PART_LENGTH, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    const strings = escaped(text.slice(start, end)).split('\t');
    yield strings.map((string) => (string === '' ? '' : `<w:t xml:space="preserve">${string}</w:t>`)).join('<w:tab/>');
  }
}

function* run(text: string, breaksLine: boolean): Generator<string> {
  yield `<w:r>${isRightToLeft(text) ? '<w:rPr><w:rtl/></w:rPr>' : ''}${breaksLine ? '<w:br/>' : ''}`;
  yield* runContent(text);
  yield '</w:r>';
}

/** How a paragraph begins. The properties stand in the order of the schema. */
const begin = (text: string, startsPage: boolean, style?: string): string => {
  const properties = [
    style === undefined ? '' : `<w:pStyle w:val="${style}"/>`,
    startsPage ? '<w:pageBreakBefore/>' : '',
    isRightToLeft(text) ? '<w:bidi/>' : '',
  ].join('');
  return properties === '' ? '<w:p>' : `<w:p><w:pPr>${properties}</w:pPr>`;
};

const END = '</w:p>';

function* paragraph(text: string, startsPage = false, style?: string): Generator<string> {
  yield begin(text, startsPage, style);
  if (text !== '') yield* run(text, false);
  yield END;
}

/** One paragraph for each line, and nothing else. */
function* plainParagraphs(text: ExportedText): Generator<string> {
  for (const line of text.lines()) yield* paragraph(line.text);
}

const isBlank = (text: string): boolean => /^[ \t]*$/.test(text);

/**
 * The heading, and each page on a page of its own. The lines of a paragraph are parted by line breaks. Of the empty lines
 * between two paragraphs one is what parts them; further ones stay as empty paragraphs, but for the one that a line end
 * at the end of a page makes.
 */
function* formattedParagraphs(text: ExportedText, heading: string): Generator<string> {
  yield* paragraph(heading, false, HEADING_STYLE);
  let [startsPage, hasText, isOpen, empty] = [false, false, false, 0];
  function* empties(count: number): Generator<string> {
    for (let i = 0; i < count; i++, startsPage = false) yield* paragraph('', startsPage);
  }
  function* endPage(): Generator<string> {
    if (isOpen) yield END;
    yield* empties(hasText ? empty - 1 : empty);
  }
  for (const line of text.lines()) {
    if (line.startsPage && line.page > 1) {
      yield* endPage();
      [startsPage, hasText, isOpen, empty] = [true, false, false, 0];
    }
    if (isBlank(line.text)) {
      empty++;
      yield ''; // so that others have their turn in a long stretch of empty lines
      continue;
    }
    const continues = isOpen && empty === 0;
    if (!continues) {
      if (isOpen) yield END;
      yield* empties(hasText ? empty - 1 : empty);
      yield begin(line.text, startsPage);
      [startsPage, hasText, isOpen, empty] = [false, true, true, 0];
    }
    yield* run(line.text, continues);
  }
  yield* endPage();
}

/** The XML of the paragraphs of a text, in small parts. */
export const paragraphXml = (text: ExportedText): Generator<string> =>
  text.heading === undefined ? plainParagraphs(text) : formattedParagraphs(text, text.heading);
