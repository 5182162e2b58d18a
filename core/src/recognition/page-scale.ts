import { AppError } from '../errors.ts';

const POINTS_PER_INCH = 72;
const FULL_DPI = 300;
const MAX_RENDERED_PIXELS = 40_000_000;
const MAX_SIDE = 32_767; // of an image that engines read
const MIN_SIDE = 2; // a smaller image is no page

export interface PageScale {
  readonly width: number; // pixels
  readonly height: number;
  readonly dpi: number; // > 0, at most 300
}

/**
 * Programs tell the sizes of pages as numbers of single precision, of double precision, or to six digits: what all of
 * them have in common. So each comes to the same number of pixels.
 */
const told = (points: number): number => Number(points.toPrecision(6));

/** Whole pixels, rounded down, but not because of the last digits of a binary number: 594.96 points are 2479 pixels. */
const wholePixels = (points: number, scale: number): number => Math.floor(Number((points * scale).toPrecision(9)));

/**
 * The size at which a page of `width` by `height` points is rendered, as it is shown: 300 dpi, or as much less as keeps it
 * within `maxPixels`, 40 megapixels and 32,767 pixels a side. Every rasteriser of PDF and the reader of text layers share
 * it, so that boxes fit images. Throws `DOCUMENT_DAMAGED` for a page without area and `PAGE_TOO_LARGE` for one that cannot
 * be scaled down to something.
 */
export const pageScale = (number: number, width: number, height: number, maxPixels: number): PageScale => {
  const [widthPt, heightPt] = [told(width), told(height)];
  if (!(widthPt > 0 && heightPt > 0)) throw new AppError('DOCUMENT_DAMAGED', `Page ${number} of the PDF has no area.`);
  const budget = Math.min(maxPixels, MAX_RENDERED_PIXELS);
  const scale = Math.min(
    FULL_DPI / POINTS_PER_INCH,
    Math.sqrt(budget / widthPt / heightPt),
    MAX_SIDE / Math.max(widthPt, heightPt),
  );
  const pixels = { width: wholePixels(widthPt, scale), height: wholePixels(heightPt, scale) };
  // Also where the numbers of the page box are past all measure, so that a side is not a number.
  if (!(pixels.width >= MIN_SIDE && pixels.height >= MIN_SIDE)) {
    throw new AppError(
      'PAGE_TOO_LARGE',
      `Page ${number} cannot be read: its width and height are out of all proportion.`,
    );
  }
  return { ...pixels, dpi: scale * POINTS_PER_INCH };
};
