import type { GreyImage } from '@palimpsest/core';
import { isBlank, openImage, readImageHeader, toPixels, translatingImageErrors } from '@palimpsest/sharp-file';
import type { DecodedAnswer } from './requests.ts';

/** Checks the header of an image. Throws `PAGE_TOO_LARGE` or `DOCUMENT_DAMAGED`. */
export const inspectImage = async (file: Uint8Array, maxPixels: number): Promise<void> => {
  await readImageHeader(file, maxPixels);
};

/**
 * Decodes the first image of a JPEG or PNG file: rotated upright by EXIF, flattened on white, in grey. Throws
 * `PAGE_TOO_LARGE` before it decodes anything, `DOCUMENT_DAMAGED` for an incomplete file, or `PAGE_OUT_OF_MEMORY`.
 */
export const decodeImage = (file: Uint8Array, maxPixels: number): Promise<DecodedAnswer> =>
  translatingImageErrors(async () => {
    const { dpi, hasAlpha } = await readImageHeader(file, maxPixels);
    const decodeOn = (background: string): Promise<GreyImage> =>
      toPixels(openImage(file, maxPixels).autoOrient().flatten({ background }));
    const onWhite = await decodeOn('#ffffff');
    // White text on a transparent background is visible only on black.
    const image = hasAlpha && isBlank(onWhite) ? await decodeOn('#000000') : onWhite;
    return { ...image, ...(dpi !== undefined && { dpi }) };
  });
