import { damagedImage } from '@palimpsest/sharp-file';

const SIGNATURE_BYTES = 8;
// Colour type to samples per pixel.
const COLOUR_TYPES = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** The parts of a PNG file that a PDF contains (PNG specification, third edition). */
export interface PngParts {
  readonly width: number;
  readonly height: number;
  readonly depth: number; // bits per sample
  readonly samples: number; // per pixel
  readonly palette: Uint8Array | undefined; // three bytes per colour
  readonly hasAlpha: boolean; // an alpha channel or a transparent colour
  readonly isInterlaced: boolean;
  readonly data: Uint8Array; // the compressed rows in one stream
}

/** Splits a PNG file into its parts. Throws `DOCUMENT_DAMAGED` if a part is missing. */
export const pngParts = (file: Uint8Array): PngParts => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  let header: Buffer | undefined;
  let palette: Uint8Array | undefined;
  let isTransparent = false;
  const data: Uint8Array[] = [];
  for (let at = SIGNATURE_BYTES; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') header = body;
    else if (kind === 'PLTE') palette = body;
    else if (kind === 'tRNS') isTransparent = true;
    else if (kind === 'IDAT') data.push(body);
    else if (kind === 'IEND') break;
    at += length + 12;
  }
  const colourType = header?.[9] ?? -1;
  const samples = COLOUR_TYPES.get(colourType);
  if (header === undefined || header.length < 13 || samples === undefined || data.length === 0) throw damagedImage();
  const isIndexed = colourType === 3;
  if (isIndexed && palette === undefined) throw damagedImage();
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    depth: header[8] ?? 0,
    samples,
    palette: isIndexed ? palette : undefined,
    hasAlpha: isTransparent || colourType === 4 || colourType === 6,
    isInterlaced: header[12] !== 0,
    data: Buffer.concat(data),
  };
};
