import { AppError } from '../errors.ts';
import { MAX_READABLE_SIDE } from './readable-size.ts';

const POINTS_PER_INCH = 72;
const FULL_DPI = 300;
const MAX_RENDERED_PIXELS = 40_000_000;
const MIN_SIDE = 2; // a smaller image is not a page

export interface PageScale {
  readonly width: number; // pixels
  readonly height: number;
  readonly dpi: number; // > 0, at most 300
}

/**
 * Rounds to six significant digits, the precision that all PDF programs share, so that every rasterizer computes the
 * same size in pixels.
 */
const rounded = (points: number): number => Number(points.toPrecision(6));

/** Whole pixels, rounded down, but without the binary rounding error: 594.96 points are 2479 pixels. */
const wholePixels = (points: number, scale: number): number => Math.floor(Number((points * scale).toPrecision(9)));

/**
 * The size at which a page of `width` by `height` points is rendered: at 300 dpi, or at a lower resolution that keeps
 * it within `maxPixels`, 40 megapixels and 32,767 pixels a side. All PDF rasterizers and the text layer reader use this
 * function, so that the boxes of words match the images. Throws `DOCUMENT_DAMAGED` for a page without area, and
 * `PAGE_TOO_LARGE` for a page that cannot be scaled down.
 */
export const pageScale = (number: number, width: number, height: number, maxPixels: number): PageScale => {
  const [widthPt, heightPt] = [rounded(width), rounded(height)];
  if (!(widthPt > 0 && heightPt > 0)) throw new AppError('DOCUMENT_DAMAGED', `Page ${number} of the PDF has no area.`);
  const budget = Math.min(maxPixels, MAX_RENDERED_PIXELS);
  const scale = Math.min(
    FULL_DPI / POINTS_PER_INCH,
    Math.sqrt(budget / widthPt / heightPt),
    MAX_READABLE_SIDE / Math.max(widthPt, heightPt),
  );
  const pixels = { width: wholePixels(widthPt, scale), height: wholePixels(heightPt, scale) };
  // A comparison with NaN is false: a page box with enormous numbers also ends here.
  if (!(pixels.width >= MIN_SIDE && pixels.height >= MIN_SIDE)) {
    throw new AppError(
      'PAGE_TOO_LARGE',
      `Page ${number} cannot be read: the ratio of its width and height is too extreme.`,
    );
  }
  return { ...pixels, dpi: scale * POINTS_PER_INCH };
};
