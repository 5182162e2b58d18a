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
const MIN_SIDE = 0.01; // of a word's box on the page, in its units

/** A number as PDF writes it, without an exponent; what has none such, on pages past all measure, is 0. */
const decimal = (value: number, digits = 3): string => {
  const text = String(Number(value.toFixed(digits)));
  return /^-?[\d.]+$/.test(text) ? text : '0';
};

const clamp = (value: number, high: number): number => (value > 0 ? Math.min(value, high) : 0); // NaN too is 0

/** A word's box within the page as shown, in its units, origin bottom left. */
const placed = ([x0, y0, x1, y1]: BoundingBox, { width, height }: TextOverlay, space: PageSpace) => {
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

/** The operators that write the words of an overlay, each with a line of its own. */
const wordLines = (overlay: TextOverlay, space: PageSpace, font: TextFont, fontKey: string): readonly string[] =>
  overlay.words.flatMap(({ text, bbox }) => {
    const characters = visualOrder(printable(text));
    if (characters.length === 0) return [];
    const box = placed(bbox, overlay, space);
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

/** The resources of a page, its own or inherited, shared with other pages or not, in a copy with one font more. */
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
 * Lays the words over a page and gives how many were written. They are drawn before the page's own content: its graphics
 * state, whatever is wrong with it, cannot move them, and what is invisible can be selected beneath a picture as well as
 * above.
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
