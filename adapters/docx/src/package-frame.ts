import { Document, Packer, Paragraph } from 'docx';
import { zipEntries } from './zip-entries.ts';

/** A file in the package. */
export type Part = readonly [name: string, content: Buffer];

/** A Word file without its body. */
export interface PackageFrame {
  readonly leading: readonly Part[]; // what programs that guess at a format look for first
  readonly others: readonly Part[]; // all but the body
  readonly before: string; // of the XML of the document, up to the first paragraph
  readonly after: string; // from behind the last
}

/** The part that holds the text. */
export const BODY_PART = 'word/document.xml';

/** The style of the heading, as docx names it. */
export const HEADING_STYLE = 'Heading1';

const LEADING_PARTS = ['[Content_Types].xml', '_rels/.rels'];
const PRODUCT = 'Palimpsest';
const MARKER = '<w:p><w:r><w:t xml:space="preserve">body</w:t></w:r></w:p>';
// Fonts that come with Word, for each kind of script. Where one lacks a letter, the reader's machine finds another.
const FONT = { ascii: 'Calibri', hAnsi: 'Calibri', eastAsia: 'Microsoft YaHei', cs: 'Arial' };
const [HALF_POINTS, TWIPS] = [2, 20]; // in a point
const A4 = { width: 11_906, height: 16_838 }; // twips
const MARGIN = 1134; // 2 cm

/**
 * What docx makes around the text: styles, properties, settings, one section in A4. docx holds a document as objects,
 * some 5 KiB for each line, so the paragraphs themselves are written apart.
 */
export const packageFrame = async (title: string | undefined): Promise<PackageFrame> => {
  const file = new Document({
    ...(title === undefined ? {} : { title }),
    creator: PRODUCT,
    lastModifiedBy: PRODUCT,
    styles: {
      default: {
        document: {
          run: { font: FONT, size: 11 * HALF_POINTS },
          paragraph: { spacing: { after: title === undefined ? 0 : 8 * TWIPS } },
        },
        heading1: {
          run: { size: 16 * HALF_POINTS, bold: true, color: '1F2933' },
          paragraph: { spacing: { after: 12 * TWIPS }, keepNext: true, outlineLevel: 0 },
        },
      },
    },
    sections: [
      {
        properties: { page: { size: A4, margin: { top: MARGIN, right: MARGIN, bottom: MARGIN, left: MARGIN } } },
        children: [new Paragraph('body')],
      },
    ],
  });
  const parts = zipEntries(await Packer.pack(file, 'uint8array'));
  const isLeading = ([name]: Part): boolean => LEADING_PARTS.includes(name);
  const all = [...parts].filter(([name]) => name !== BODY_PART);
  const [before, after] = (parts.get(BODY_PART) ?? '').toString().split(MARKER);
  if (before === undefined || after === undefined) throw new TypeError('docx writes paragraphs in another way');
  return { leading: all.filter(isLeading), others: all.filter((part) => !isLeading(part)), before, after };
};
