import type { GreyImage } from '@palimpsest/core';

// A portable greymap with 8 bits per pixel: http://netpbm.sourceforge.net/doc/pgm.html
const HEADER = /^P5(?:\s|#[^\n]*\n)+(\d{1,9})(?:\s|#[^\n]*\n)+(\d{1,9})(?:\s|#[^\n]*\n)+255\s/;
const MAX_HEADER_BYTES = 1000;

/** A PGM file of `image`, in two parts, so that the pixels are not copied. */
export const encodePgm = ({ width, height, data }: GreyImage): readonly Uint8Array[] => [
  new TextEncoder().encode(`P5\n${width} ${height}\n255\n`),
  data,
];

/**
 * The first image of a PGM file; its pixels are a view of `file`. `undefined` if `file` is too short or not a PGM file.
 */
export const decodePgm = (file: Uint8Array): GreyImage | undefined => {
  const [header, width, height] = HEADER.exec(Buffer.from(file.subarray(0, MAX_HEADER_BYTES)).toString('latin1')) ?? [];
  if (header === undefined) return undefined;
  const size = { width: Number(width), height: Number(height) };
  const data = file.subarray(header.length, header.length + size.width * size.height);
  return data.length === size.width * size.height && data.length > 0 ? { ...size, data } : undefined;
};
