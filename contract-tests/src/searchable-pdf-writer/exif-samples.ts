import { turnBox, turnedSize } from '@palimpsest/core';
import type { BoundingBox, QuarterTurn, Size } from '@palimpsest/core';
import { markedExifJpeg } from '../kit/page-samples.ts';

const HEADER = Buffer.from('Exif\0\0', 'latin1');

// TIFF: big-endian (MM) or little-endian (II), the tag 0x0112 of one short.
const orientationAt = (file: Buffer): { readonly at: number; readonly isLittle: boolean } | undefined => {
  const found = file.indexOf(HEADER);
  if (found < 0) return undefined;
  const tiff = found + HEADER.length;
  const isLittle = file.toString('latin1', tiff, tiff + 2) === 'II';
  return { at: file.indexOf(isLittle ? '120103000100' : '011200030000', tiff, 'hex') + 8, isLittle };
};

/** A JPEG file of 60 by 40 pixels as stored, its mark at the upper left, with an EXIF orientation from 1 to 8. */
export const exifJpeg = async (orientation: number): Promise<Uint8Array> => {
  const file = Buffer.from(await markedExifJpeg());
  const found = orientationAt(file);
  if (found === undefined) throw new TypeError('The sample has no EXIF');
  if (found.isLittle) file.writeUInt16LE(orientation, found.at);
  else file.writeUInt16BE(orientation, found.at);
  return Uint8Array.from(file);
};

/** The EXIF orientation of the file; 1 if it has none. */
export const exifOrientation = (jpeg: Uint8Array): number => {
  const file = Buffer.from(jpeg);
  const found = orientationAt(file);
  if (found === undefined) return 1;
  return found.isLittle ? file.readUInt16LE(found.at) : file.readUInt16BE(found.at);
};

const STORED: Size = { width: 60, height: 40 };

/** The size of the upright image and the box of its mark. */
export const uprightMark = (orientation: number): { readonly size: Size; readonly mark: BoundingBox } => {
  const isMirrored = [2, 4, 5, 7].includes(orientation);
  const turn: QuarterTurn = ([0, 0, 180, 180, 270, 90, 90, 270] as const)[orientation - 1] ?? 0;
  const mark: BoundingBox = isMirrored ? [44, 0, 60, 8] : [0, 0, 16, 8];
  return { size: turnedSize(STORED, turn), mark: turnBox(mark, STORED, turn) };
};
