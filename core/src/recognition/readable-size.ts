import { AppError } from '../errors.ts';
import type { Size } from './geometry.ts';

/** The most pixels that a side of an image can have. It is the limit of Tesseract. */
export const MAX_READABLE_SIDE = 32_767;

/** The error for an image that is too large for the OCR engine. */
export const tooLargeToRead = (): AppError =>
  new AppError(
    'PAGE_TOO_LARGE',
    `The page is too large to be read: a side can have at most ${MAX_READABLE_SIDE} pixels.`,
  );

/** Throws `PAGE_TOO_LARGE` if a side of the image is longer than {@link MAX_READABLE_SIDE}. */
export const assertReadableSize = ({ width, height }: Size): void => {
  if (Math.max(width, height) > MAX_READABLE_SIDE) throw tooLargeToRead();
};
