import { readPackage } from '@palimpsest/office-package';
import type { PackagePart } from '@palimpsest/office-package';
import { Document, Packer, Paragraph } from 'docx';

/** The parts of a Word file around its body. */
export interface PackageFrame {
  readonly leading: readonly PackagePart[]; // come first, because programs guess the file type from the first parts
  readonly others: readonly PackagePart[]; // all other parts, without the body
  readonly before: string; // the XML of the body before the first paragraph
  readonly after: string; // the XML of the body after the last paragraph
}

/** The name of the body, the part with the text. */
export const BODY_PART = 'word/document.xml';

/** The style of the heading. docx defines it under this name. */
export const HEADING_STYLE = 'Heading1';

const LEADING_PARTS = ['[Content_Types].xml', '_rels/.rels'];
const PRODUCT = 'Palimpsest';
const MARKER = '<w:p><w:r><w:t xml:space="preserve">body</w:t></w:r></w:p>';
// Fonts that come with Word, for each kind of script. Word replaces a font that lacks a character.
const FONT = { ascii: 'Calibri', hAnsi: 'Calibri', eastAsia: 'Microsoft YaHei', cs: 'Arial' };
const [HALF_POINTS, TWIPS] = [2, 20]; // per point
const A4 = { width: 11_906, height: 16_838 }; // twips
const MARGIN = 1134; // 2 cm

/**
 * Lets docx write a document with one marker paragraph, and splits its XML at the marker. docx thus provides the
 * styles, properties, settings and one A4 section. `paragraphXml` generates the paragraphs of the text, because docx
 * needs about 5 KiB of memory for each line.
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
  const parts = readPackage(await Packer.pack(file, 'uint8array'));
  const [before, after] = new TextDecoder().decode(parts.get(BODY_PART)).split(MARKER);
  if (before === undefined || after === undefined)
    throw new TypeError('docx wrote the marker paragraph in an unexpected form');
  const frameParts = [...parts].map(([name, content]): PackagePart => ({ name, content }));
  return {
    leading: frameParts.filter(({ name }) => LEADING_PARTS.includes(name)),
    others: frameParts.filter(({ name }) => name !== BODY_PART && !LEADING_PARTS.includes(name)),
    before,
    after,
  };
};
