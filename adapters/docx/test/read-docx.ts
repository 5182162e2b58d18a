import type { ReadExport, ReadLine } from '@palimpsest/contract-tests';
import {
  activeContent,
  elementsOf,
  parsedParts,
  partNamed,
  textOf,
  type Element,
} from '../../../test/office/package-xml.ts';

const ACTIVE_ELEMENTS = [
  'w:fldSimple',
  'w:instrText',
  'w:fldChar',
  'w:hyperlink',
  'w:object',
  'w:altChunk',
  'w:attachedTemplate',
  'w:mailMerge',
  'w:subDoc',
];

const CONTENT: Readonly<Record<string, (element: Element) => string>> = {
  'w:t': (element) => {
    const text = textOf(element);
    // Word drops leading and trailing blanks of an element without `xml:space`.
    return element.attributes['xml:space'] === 'preserve' ? text : text.trim();
  },
  'w:tab': () => '\t',
  'w:br': () => '\n',
  'w:rPr': () => '',
};

const runText = (run: Element): string =>
  elementsOf(run)
    .map((element) => {
      const content = CONTENT[element.name];
      if (content === undefined) throw new TypeError(`A run contains the unexpected element ${element.name}`);
      return content(element);
    })
    .join('');

/**
 * Reads a file of `DocxExporter` as Word does. Throws for a part that is not well-formed and for unexpected content.
 */
export const readDocx = (file: Uint8Array): ReadExport => {
  const parts = parsedParts(file);
  const [body] = elementsOf(partNamed(parts, 'word/document.xml'), 'w:body');
  if (body === undefined) throw new TypeError('The document has no body');
  if (elementsOf(body).at(-1)?.name !== 'w:sectPr')
    throw new TypeError('The section is not the last element of the body');
  const paragraphs = elementsOf(body, 'w:p').map((paragraph) => ({
    properties: elementsOf(paragraph, 'w:pPr').flatMap((each) => elementsOf(each)),
    text: elementsOf(paragraph, 'w:r').map(runText).join(''),
  }));
  const has = ({ properties }: (typeof paragraphs)[number], name: string, value?: string): boolean =>
    properties.some((property) => property.name === name && property.attributes['w:val'] === value);
  const [first] = paragraphs;
  const heading = first !== undefined && has(first, 'w:pStyle', 'Heading1') ? first.text : undefined;
  const lines: ReadLine[] = [];
  let [page, hadText] = [1, false];
  for (const paragraph of heading === undefined ? paragraphs : paragraphs.slice(1)) {
    const startsPage = has(paragraph, 'w:pageBreakBefore');
    if (startsPage) page++;
    hadText &&= !startsPage;
    const texts = paragraph.text.split('\n');
    if (heading === undefined) lines.push(...texts.map((text) => ({ text })));
    // The space between two paragraphs is an empty line.
    else lines.push(...[...(hadText && paragraph.text !== '' ? [''] : []), ...texts].map((text) => ({ text, page })));
    hadText ||= paragraph.text !== '';
  }
  return { heading, lines, entries: [...parts.keys()], active: activeContent(parts, ACTIVE_ELEMENTS) };
};
