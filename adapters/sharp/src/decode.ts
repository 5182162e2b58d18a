import { AppError } from '@palimpsest/core';
import type { Sharp } from 'sharp';
import { sharp } from './hardened-sharp.ts';
import type { DecodedAnswer } from './requests.ts';

const MAX_SIDE = 32_767; // of an image that engines read
// Below 100, cameras and screens say 72 or 96 whatever the picture is; above 1200, nobody scans.
const SANE_DPI = { min: 100, max: 1200 };
const BLANK_RANGE = 2; // grey levels

const damaged = (): AppError =>
  new AppError('DOCUMENT_DAMAGED', 'The image is damaged or incomplete, so that it cannot be read.');

const tooLarge = (): AppError =>
  new AppError('PAGE_TOO_LARGE', 'The image has too many pixels to be read. Upload it at a lower resolution.');

const open = (file: Uint8Array, maxPixels: number): Sharp =>
  sharp(file, { failOn: 'error', limitInputPixels: maxPixels, pages: 1 });

/** What libvips says in a refusal for size or memory, by message: it has no codes. */
const translate = (error: unknown): unknown => {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if (/pixel limit|too large|dimensions|exceeds/i.test(error.message)) return tooLarge();
  if (/out of memory|allocat/i.test(error.message)) {
    return new AppError('PAGE_OUT_OF_MEMORY', 'The image needs too much memory to be read.', { cause: error });
  }
  return damaged();
};

const inspect = async (file: Uint8Array, maxPixels: number): Promise<{ dpi?: number; hasAlpha: boolean }> => {
  const { width, height, density, hasAlpha } = await sharp(file, {
    failOn: 'error',
    limitInputPixels: false,
  }).metadata();
  if (!(width > 0 && height > 0)) throw damaged();
  if (width * height > maxPixels || Math.max(width, height) > MAX_SIDE) throw tooLarge();
  const isSane = density !== undefined && density >= SANE_DPI.min && density <= SANE_DPI.max;
  return { hasAlpha, ...(isSane && { dpi: density }) };
};

/** Judges an image by its header. Throws `PAGE_TOO_LARGE` or `DOCUMENT_DAMAGED`. */
export const inspectImage = async (file: Uint8Array, maxPixels: number): Promise<void> => {
  try {
    await inspect(file, maxPixels);
  } catch (error) {
    throw translate(error);
  }
};

const toGrey = async (image: Sharp, background: string): Promise<DecodedAnswer> => {
  const { data, info } = await image
    .autoOrient()
    .flatten({ background })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 1) throw new TypeError(`One channel was expected, not ${info.channels}.`);
  return { width: info.width, height: info.height, data };
};

const isBlank = ({ data }: DecodedAnswer): boolean => {
  let [low, high] = [255, 0];
  for (const value of data) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low < BLANK_RANGE;
};

/**
 * The first picture of a JPEG or PNG file, upright by EXIF, on white, in grey. Throws `PAGE_TOO_LARGE` before anything
 * is decoded, `DOCUMENT_DAMAGED` for a file that is not whole, `PAGE_OUT_OF_MEMORY`.
 */
export const decodeImage = async (file: Uint8Array, maxPixels: number): Promise<DecodedAnswer> => {
  try {
    const { dpi, hasAlpha } = await inspect(file, maxPixels);
    const onWhite = await toGrey(open(file, maxPixels), '#ffffff');
    // White on transparent: on white nothing is left of it.
    const image = hasAlpha && isBlank(onWhite) ? await toGrey(open(file, maxPixels), '#000000') : onWhite;
    return { ...image, ...(dpi !== undefined && { dpi }) };
  } catch (error) {
    throw translate(error);
  }
};
