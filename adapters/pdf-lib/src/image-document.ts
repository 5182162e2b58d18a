import { PDFDocument, PDFName, type PDFContext, type PDFRef } from '@cantoo/pdf-lib';
import { AppError } from '@palimpsest/core';
import type { MediaType, QuarterTurn } from '@palimpsest/core';
import type { Metadata, Sharp } from 'sharp';
import { sharp } from './hardened-sharp.ts';
import { jpegImage, pngImage } from './image-objects.ts';
import { jpegFrame } from './jpeg-frame.ts';
import { pngParts } from './png-parts.ts';
import type { PngParts } from './png-parts.ts';
import { damagedImage, outOfMemory, tooLargeImage } from './refusals.ts';

const MAX_SIDE = 32_767; // of an image that is read
// Below 100, cameras and screens say 72 or 96 whatever the picture is; above 1200, nobody scans.
const SANE_DPI = { min: 100, max: 1200 };
const POINTS_PER_INCH = 72;
const UNTOLD_LONGER_SIDE = 842; // points, as A4 has it
const MAX_SIDE_PT = 14_400; // what readers of PDF take (ISO 32000-1, Annex C)
const MIN_SIDE_PT = 1;
const COMPRESSION_LEVEL = 6;
const BLANK_RANGE = 2; // grey levels
const PRODUCER = 'Palimpsest';

/** By EXIF orientation, where the unit square of the stored picture comes to lie upright: x = au + cv + e, y = bu + dv + f. */
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
const FIRST_LYING = 5; // from here on, the picture is stored with its sides swapped
// Each orientation turned clockwise by a quarter is the next one, after the last one the first one; without and with mirroring.
const QUARTER_TURNS = [
  [1, 6, 3, 8],
  [2, 7, 4, 5],
] as const;

const turnedOrientation = (orientation: number, rotation: QuarterTurn): number => {
  const turns = QUARTER_TURNS.find((each) => each.some((known) => known === orientation)) ?? QUARTER_TURNS[0];
  const place = Math.max(
    0,
    turns.findIndex((known) => known === orientation),
  );
  return turns[(place + rotation / 90) % turns.length] ?? 1;
};

const open = (file: Uint8Array, maxPixels: number): Sharp =>
  sharp(file, { failOn: 'error', limitInputPixels: maxPixels, pages: 1 });

/** What libvips says in a refusal for size or memory, by message: it has no codes. */
const translate = (error: unknown): unknown => {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if (/pixel limit|too large|dimensions|exceeds/i.test(error.message)) return tooLargeImage();
  return /out of memory|allocat/i.test(error.message) ? outOfMemory(error) : damagedImage();
};

/** The header of a file that can be decoded as a whole: it is decoded to next to nothing, line by line. */
const inspect = async (file: Uint8Array, maxPixels: number): Promise<Metadata> => {
  const metadata = await sharp(file, { failOn: 'error', limitInputPixels: false }).metadata();
  const { width, height } = metadata;
  if (!(width > 0 && height > 0)) throw damagedImage();
  if (width * height > maxPixels || Math.max(width, height) > MAX_SIDE) throw tooLargeImage();
  await open(file, maxPixels).resize(8, 8, { fit: 'fill' }).raw().toBuffer();
  return metadata;
};

const isBlank = (grey: Uint8Array): boolean => {
  let [low, high] = [255, 0];
  for (const value of grey) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low < BLANK_RANGE;
};

/** A plain PNG of 8 bits without alpha: on white, or on black what on white could not be seen. */
const plainPng = async (file: Uint8Array, maxPixels: number, { space, hasAlpha }: Metadata): Promise<PngParts> => {
  const on = (background: string): Sharp => open(file, maxPixels).flatten({ background });
  const isLost = hasAlpha && isBlank(await on('#ffffff').toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer());
  const isGrey = space === 'b-w' || space === 'grey16';
  const png = on(isLost ? '#000000' : '#ffffff')
    .toColourspace(isGrey ? 'b-w' : 'srgb')
    .png({ compressionLevel: COMPRESSION_LEVEL });
  return pngParts(await png.toBuffer());
};

const imageIn = async (
  context: PDFContext,
  file: Uint8Array,
  mediaType: MediaType,
  maxPixels: number,
  metadata: Metadata,
): Promise<PDFRef> => {
  if (mediaType === 'image/jpeg') {
    const frame = jpegFrame(file);
    return frame === undefined
      ? pngImage(context, await plainPng(file, maxPixels, metadata))
      : jpegImage(context, file, frame, metadata.icc);
  }
  const parts = pngParts(file);
  const isPlain = parts.depth <= 8 && !parts.hasAlpha && !parts.isInterlaced;
  return isPlain
    ? pngImage(context, parts, metadata.icc)
    : pngImage(context, await plainPng(file, maxPixels, metadata));
};

const sizeInPoints = (
  width: number,
  height: number,
  density: number | undefined,
): readonly [width: number, height: number] => {
  const isSane = density !== undefined && density >= SANE_DPI.min && density <= SANE_DPI.max;
  const wanted = isSane ? POINTS_PER_INCH / density : UNTOLD_LONGER_SIDE / Math.max(width, height);
  const scale = Math.min(wanted, MAX_SIDE_PT / Math.max(width, height));
  return [Math.max(MIN_SIDE_PT, width * scale), Math.max(MIN_SIDE_PT, height * scale)];
};

/**
 * A PDF of one page that shows a JPEG or PNG file, with its own pixels, upright by EXIF and then turned clockwise. Throws `PAGE_TOO_LARGE` before
 * anything is decoded, `DOCUMENT_DAMAGED` for a file that is not whole, `PAGE_OUT_OF_MEMORY`.
 */
export const imageDocument = async (
  file: Uint8Array,
  mediaType: MediaType,
  maxPixels: number,
  rotation: QuarterTurn,
): Promise<PDFDocument> => {
  try {
    const metadata = await inspect(file, maxPixels);
    const document = await PDFDocument.create({ updateMetadata: false });
    document.setProducer(PRODUCER);
    const { context } = document;
    const image = await imageIn(context, file, mediaType, maxPixels, metadata);
    const { width, height, density } = metadata;
    const orientation = turnedOrientation(metadata.orientation ?? 1, rotation);
    const [a, b, c, d, e, f] = ORIENTATIONS[orientation] ?? [1, 0, 0, 1, 0, 0];
    const isLying = orientation >= FIRST_LYING;
    const [pageWidth, pageHeight] = sizeInPoints(isLying ? height : width, isLying ? width : height, density);
    const page = document.addPage([pageWidth, pageHeight]);
    const matrix = [a * pageWidth, b * pageHeight, c * pageWidth, d * pageHeight, e * pageWidth, f * pageHeight];
    const content = `q ${matrix.map((value) => Number(value.toFixed(4))).join(' ')} cm /Scan Do Q`;
    page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
    page.node.set(PDFName.of('Resources'), context.obj({ XObject: { Scan: image } }));
    return document;
  } catch (error) {
    throw translate(error);
  }
};
