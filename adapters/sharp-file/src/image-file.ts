import { AppError, MAX_READABLE_SIDE } from '@palimpsest/core';
import type { Metadata, Sharp } from 'sharp';
import { sharp } from './hardened-sharp.ts';

// Cameras and screens state 72 or 96 dpi for any image, and scans above 1200 dpi are implausible.
const PLAUSIBLE_DPI = { min: 100, max: 1200 };

/** The error for an image that cannot be decoded completely. */
export const damagedImage = (): AppError =>
  new AppError('DOCUMENT_DAMAGED', 'The image is damaged or incomplete, so that it cannot be read.');

const tooLargeImage = (): AppError =>
  new AppError('PAGE_TOO_LARGE', 'The image has too many pixels to be read. Upload it at a lower resolution.');

/** Translates an error of libvips, which has a message and no code. */
const translate = (error: unknown): unknown => {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if (/pixel limit|too large|dimensions|exceeds/i.test(error.message)) return tooLargeImage();
  if (!/out of memory|allocat/i.test(error.message)) return damagedImage();
  return new AppError('PAGE_OUT_OF_MEMORY', 'The image needs too much memory to be read.', { cause: error });
};

/** Runs `task`, and translates errors of libvips to `PAGE_TOO_LARGE`, `DOCUMENT_DAMAGED` or `PAGE_OUT_OF_MEMORY`. */
export const translatingImageErrors = async <T>(task: () => Promise<T>): Promise<T> => {
  try {
    return await task();
  } catch (error) {
    throw translate(error);
  }
};

/** Opens the first image of a JPEG or PNG file. A warning of the decoder counts as damage. */
export const openImage = (file: Uint8Array, maxPixels: number): Sharp =>
  sharp(file, { failOn: 'error', limitInputPixels: maxPixels, pages: 1 });

/** The header of an image file. `dpi` is missing if the file states no plausible resolution. */
export type ImageHeader = Metadata & { readonly dpi?: number };

/** Reads the header without decoding the image. Throws `PAGE_TOO_LARGE` or `DOCUMENT_DAMAGED`. */
export const readImageHeader = (file: Uint8Array, maxPixels: number): Promise<ImageHeader> =>
  translatingImageErrors(async () => {
    const metadata = await sharp(file, { failOn: 'error', limitInputPixels: false }).metadata();
    const { width, height, density } = metadata;
    if (!(width > 0 && height > 0)) throw damagedImage();
    if (width * height > maxPixels || Math.max(width, height) > MAX_READABLE_SIDE) throw tooLargeImage();
    const isPlausible = density !== undefined && density >= PLAUSIBLE_DPI.min && density <= PLAUSIBLE_DPI.max;
    return { ...metadata, ...(isPlausible && { dpi: density }) };
  });
