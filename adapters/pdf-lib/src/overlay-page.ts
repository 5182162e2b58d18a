import { PDFArray, PDFDict, PDFName, PDFNumber, PDFStream, type PDFContext, type PDFObject } from '@cantoo/pdf-lib';
import type { BoundingBox, TextOverlay } from '@palimpsest/core';
import { GLYPH_WIDTH } from './glyphless-font.ts';
import { pageSpace } from './page-space.ts';
import type { PageSpace } from './page-space.ts';
import type { PageNode } from './page-tree.ts';
import type { TextFont } from './text-font.ts';
import { printable, visualOrder } from './word-text.ts';

const CONTENTS = PDFName.of('Contents');
const RESOURCES = PDFName.of('Resources');
const FONT = PDFName.of('Font');
const ROTATE = PDFName.of('Rotate');
const MIN_SIDE = 0.01; // of the box of a word, in the units of the page

/** A number in PDF syntax, which has no exponents. Numbers that are too large for that, and NaN, become 0. */
const decimal = (value: number, digits = 3): string => {
  const text = String(Number(value.toFixed(digits)));
  return /^-?[\d.]+$/.test(text) ? text : '0';
};

const clamp = (value: number, high: number): number => (value > 0 ? Math.min(value, high) : 0); // NaN becomes 0

/** The box of a word on the shown page, in the units of the page, origin bottom left. */
const wordBox = ([x0, y0, x1, y1]: BoundingBox, { width, height }: TextOverlay, space: PageSpace) => {
  const [left, right] = [clamp(Math.min(x0, x1), width), clamp(Math.max(x0, x1), width)];
  const [top, bottom] = [clamp(Math.min(y0, y1), height), clamp(Math.max(y0, y1), height)];
  return {
    x: (left * space.width) / width,
    y: ((height - bottom) * space.height) / height,
    width: Math.max(MIN_SIDE, ((right - left) * space.width) / width),
    height: Math.max(MIN_SIDE, ((bottom - top) * space.height) / height),
  };
};

const BLANK = [' '];

/** The operators for the words of an overlay, one line for each word. */
const wordLines = (overlay: TextOverlay, space: PageSpace, font: TextFont, fontKey: string): readonly string[] =>
  overlay.words.flatMap(({ text, bbox }) => {
    const characters = visualOrder(printable(text));
    if (characters.length === 0) return [];
    const box = wordBox(bbox, overlay, space);
    const stretch = (100 * box.width) / ((characters.length * box.height * GLYPH_WIDTH) / 1000);
    return [
      `/${fontKey} ${decimal(box.height)} Tf ${decimal(stretch, 5)} Tz 1 0 0 1 ${decimal(box.x)} ${decimal(box.y)} Tm ` +
        `<${font.encode(characters)}${font.encode(BLANK)}> Tj`,
    ];
  });

const dictIn = (context: PDFContext, object: PDFObject | undefined): PDFDict => {
  const found = context.lookup(object);
  return found instanceof PDFDict ? found : PDFDict.withContext(context);
};

/** A copy of the page's resources with our font. The original may be inherited or shared with other pages. */
const withFont = (
  context: PDFContext,
  page: PageNode,
  font: TextFont,
): { readonly resources: PDFDict; readonly fontKey: string } => {
  const resources = dictIn(context, page.attributes.Resources).clone(context);
  const fonts = dictIn(context, resources.get(FONT)).clone(context);
  let fontKey = 'Words';
  for (let i = 2; fonts.has(PDFName.of(fontKey)); i++) fontKey = `Words${i}`;
  fonts.set(PDFName.of(fontKey), font.ref);
  resources.set(FONT, fonts);
  return { resources, fontKey };
};

/**
 * Adds the words to a page as invisible text, and returns the number of added words. The words come before the page's
 * own content, so that a broken graphics state of that content cannot move them. Users can select invisible text even
 * under an image.
 */
export const overlayPage = (context: PDFContext, page: PageNode, overlay: TextOverlay, font: TextFont): number => {
  const space = pageSpace(context, page, overlay.rotation);
  if (overlay.rotation !== 0) page.dict.set(ROTATE, PDFNumber.of(space.turn));
  if (!(overlay.width > 0 && overlay.height > 0)) return 0;
  const { resources, fontKey } = withFont(context, page, font);
  const lines = wordLines(overlay, space, font, fontKey);
  if (lines.length === 0) return 0;
  const matrix = space.matrix.map((value) => decimal(value, 4)).join(' ');
  const content = context.flateStream(`q ${matrix} cm BT 3 Tr\n${lines.join('\n')}\nET Q\n`);
  const own = page.dict.get(CONTENTS);
  const resolved = context.lookup(own);
  const kept =
    resolved instanceof PDFArray ? resolved.asArray() : resolved instanceof PDFStream && own !== undefined ? [own] : [];
  page.dict.set(CONTENTS, context.obj([context.register(content), ...kept]));
  page.dict.set(RESOURCES, resources);
  return lines.length;
};
