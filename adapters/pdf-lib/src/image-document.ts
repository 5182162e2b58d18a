import { PDFDocument, PDFName, type PDFContext, type PDFRef } from '@cantoo/pdf-lib';
import type { MediaType, QuarterTurn } from '@palimpsest/core';
import { isBlank, openImage, readImageHeader, toPixels, translatingImageErrors } from '@palimpsest/sharp-file';
import type { ImageHeader } from '@palimpsest/sharp-file';
import type { Sharp } from 'sharp';
import { jpegImage, pngImage } from './image-objects.ts';
import { jpegFrame } from './jpeg-frame.ts';
import { pngParts } from './png-parts.ts';
import type { PngParts } from './png-parts.ts';

const POINTS_PER_INCH = 72;
const DEFAULT_LONG_SIDE_PT = 842; // the long side of A4, for images without a plausible resolution
const MAX_SIDE_PT = 14_400; // the limit of PDF readers (ISO 32000-1, Annex C)
const MIN_SIDE_PT = 1;
const COMPRESSION_LEVEL = 6;
const PRODUCER = 'Palimpsest';

/**
 * For each EXIF orientation, the matrix that turns the unit square of the stored image upright (x = au + cv + e, y = bu
 * + dv + f).
 */
const ORIENTATIONS: Readonly<
  Record<number, readonly [a: number, b: number, c: number, d: number, e: number, f: number]>
> = {
  1: [1, 0, 0, 1, 0, 0],
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};
const FIRST_SIDEWAYS = 5; // orientations 5 to 8 swap width and height
// A clockwise quarter turn changes an orientation to the next one in its row. The second row has the mirrored
// orientations.
const QUARTER_TURNS = [
  [1, 6, 3, 8],
  [2, 7, 4, 5],
] as const;

const turnedOrientation = (orientation: number, rotation: QuarterTurn): number => {
  const turns = QUARTER_TURNS.find((each) => each.some((known) => known === orientation)) ?? QUARTER_TURNS[0];
  const index = Math.max(
    0,
    turns.findIndex((known) => known === orientation),
  );
  return turns[(index + rotation / 90) % turns.length] ?? 1;
};

/** Checks that the whole file can be decoded. Scaling to 8 x 8 pixels decodes it line by line, with little memory. */
const assertComplete = async (file: Uint8Array, maxPixels: number): Promise<void> => {
  await openImage(file, maxPixels).resize(8, 8, { fit: 'fill' }).raw().toBuffer();
};

/** Re-encodes an image as a PNG of 8 bits without alpha: on white, or on black if it would be invisible on white. */
const plainPng = async (file: Uint8Array, maxPixels: number, { space, hasAlpha }: ImageHeader): Promise<PngParts> => {
  const flattenedOn = (background: string): Sharp => openImage(file, maxPixels).flatten({ background });
  const isInvisible = hasAlpha && isBlank(await toPixels(flattenedOn('#ffffff')));
  const isGrey = space === 'b-w' || space === 'grey16';
  const png = flattenedOn(isInvisible ? '#000000' : '#ffffff')
    .toColourspace(isGrey ? 'b-w' : 'srgb')
    .png({ compressionLevel: COMPRESSION_LEVEL });
  return pngParts(await png.toBuffer());
};

/**
 * Adds the image to the document. Keeps the bytes of the file if PDF readers can decode them, otherwise re-encodes the
 * image.
 */
const addImage = async (
  context: PDFContext,
  file: Uint8Array,
  mediaType: MediaType,
  maxPixels: number,
  header: ImageHeader,
): Promise<PDFRef> => {
  if (mediaType === 'image/jpeg') {
    const frame = jpegFrame(file);
    if (frame !== undefined) return jpegImage(context, file, frame, header.icc);
  } else {
    const parts = pngParts(file);
    if (parts.depth <= 8 && !parts.hasAlpha && !parts.isInterlaced) return pngImage(context, parts, header.icc);
  }
  return pngImage(context, await plainPng(file, maxPixels, header));
};

const sizeInPoints = (
  width: number,
  height: number,
  dpi: number | undefined,
): readonly [width: number, height: number] => {
  const longSide = Math.max(width, height);
  const wanted = dpi === undefined ? DEFAULT_LONG_SIDE_PT / longSide : POINTS_PER_INCH / dpi;
  const scale = Math.min(wanted, MAX_SIDE_PT / longSide);
  return [Math.max(MIN_SIDE_PT, width * scale), Math.max(MIN_SIDE_PT, height * scale)];
};

/**
 * Makes a PDF with one page that shows a JPEG or PNG file: upright by EXIF, then turned clockwise by `rotation`. Throws
 * `PAGE_TOO_LARGE` before it decodes anything, `DOCUMENT_DAMAGED` for an incomplete file, or `PAGE_OUT_OF_MEMORY`.
 */
export const imageDocument = (
  file: Uint8Array,
  mediaType: MediaType,
  maxPixels: number,
  rotation: QuarterTurn,
): Promise<PDFDocument> =>
  translatingImageErrors(async () => {
    const header = await readImageHeader(file, maxPixels);
    await assertComplete(file, maxPixels);
    const document = await PDFDocument.create({ updateMetadata: false });
    document.setProducer(PRODUCER);
    const { context } = document;
    const image = await addImage(context, file, mediaType, maxPixels, header);
    const { width, height, dpi } = header;
    const orientation = turnedOrientation(header.orientation ?? 1, rotation);
    const [a, b, c, d, e, f] = ORIENTATIONS[orientation] ?? [1, 0, 0, 1, 0, 0];
    const isSideways = orientation >= FIRST_SIDEWAYS;
    const [pageWidth, pageHeight] = sizeInPoints(isSideways ? height : width, isSideways ? width : height, dpi);
    const page = document.addPage([pageWidth, pageHeight]);
    const matrix = [a * pageWidth, b * pageHeight, c * pageWidth, d * pageHeight, e * pageWidth, f * pageHeight];
    const content = `q ${matrix.map((value) => Number(value.toFixed(4))).join(' ')} cm /Scan Do Q`;
    page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
    page.node.set(PDFName.of('Resources'), context.obj({ XObject: { Scan: image } }));
    return document;
  });
