import { AppError } from '@palimpsest/core';

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
 * The size at which a page of `widthPt` by `heightPt` points is rendered: 300 dpi, or as much less as keeps it within
 * `maxPixels`, 40 megapixels and 32,767 pixels a side. Rendering and text layer share it. Throws `DOCUMENT_DAMAGED` for
 * a page without area and `PAGE_TOO_LARGE` for one that cannot be scaled down to something.
 */
export const pageScale = (number: number, widthPt: number, heightPt: number, maxPixels: number): PageScale => {
  if (!(widthPt > 0 && heightPt > 0)) throw new AppError('DOCUMENT_DAMAGED', `Page ${number} of the PDF has no area.`);
  const budget = Math.min(maxPixels, MAX_RENDERED_PIXELS);
  const scale = Math.min(
    FULL_DPI / POINTS_PER_INCH,
    Math.sqrt(budget / widthPt / heightPt),
    MAX_SIDE / Math.max(widthPt, heightPt),
  );
  const [width, height] = [Math.floor(widthPt * scale), Math.floor(heightPt * scale)];
  // Also where the numbers of the page box are past all measure, so that a side is not a number.
  if (!(width >= MIN_SIDE && height >= MIN_SIDE)) {
    throw new AppError('PAGE_TOO_LARGE', `Page ${number} cannot be read: its width and height are out of all proportion.`);
  }
  return { width, height, dpi: scale * POINTS_PER_INCH };
};
