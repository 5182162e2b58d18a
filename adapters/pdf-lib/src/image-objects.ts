import { PDFHexString, type PDFContext, type PDFObject, type PDFRef } from '@cantoo/pdf-lib';
import type { JpegFrame } from './jpeg-frame.ts';
import type { PngParts } from './png-parts.ts';

const KINDS: Readonly<Record<number, { readonly device: string; readonly profile: string }>> = {
  1: { device: 'DeviceGray', profile: 'GRAY' },
  3: { device: 'DeviceRGB', profile: 'RGB ' },
  4: { device: 'DeviceCMYK', profile: 'CMYK' },
};
const PROFILE_KIND = { start: 16, end: 20 }; // in the header of an ICC profile
const MAX_PROFILE_BYTES = 100_000; // those of printing presses have megabytes, and say hardly more than the device's own

/** The colours of an image: by its profile, which readers of PDF do not look for within a picture, else the device's. */
const colourSpace = (context: PDFContext, components: number, profile: Uint8Array | undefined): PDFObject => {
  const { device, profile: kind } = KINDS[components] ?? { device: 'DeviceRGB', profile: '' };
  const isUsable =
    profile !== undefined &&
    profile.length <= MAX_PROFILE_BYTES &&
    Buffer.from(profile.subarray(PROFILE_KIND.start, PROFILE_KIND.end)).toString('latin1') === kind;
  if (!isUsable) return context.obj(device);
  return context.obj([
    'ICCBased',
    context.register(context.flateStream(profile, { N: components, Alternate: device })),
  ]);
};

/** A JPEG file as an image of a PDF, as it is. */
export const jpegImage = (
  context: PDFContext,
  file: Uint8Array,
  { width, height, components, isAdobe }: JpegFrame,
  profile?: Uint8Array,
): PDFRef =>
  context.register(
    context.stream(file, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      ColorSpace: colourSpace(context, components, profile),
      BitsPerComponent: 8,
      Filter: 'DCTDecode',
      ...(components === 4 && isAdobe && { Decode: [1, 0, 1, 0, 1, 0, 1, 0] }),
    }),
  );

const COLOUR_BYTES = 3; // of an entry in a palette

/** The rows of a PNG file as an image of a PDF, as they are. */
export const pngImage = (
  context: PDFContext,
  { width, height, depth, samples, palette, data }: PngParts,
  profile?: Uint8Array,
): PDFRef =>
  context.register(
    context.stream(data, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      ColorSpace:
        palette === undefined
          ? colourSpace(context, samples, profile)
          : [
              'Indexed',
              colourSpace(context, COLOUR_BYTES, profile),
              Math.floor(palette.length / COLOUR_BYTES) - 1,
              PDFHexString.of(Buffer.from(palette).toString('hex')),
            ],
      BitsPerComponent: depth,
      Filter: 'FlateDecode',
      DecodeParms: { Predictor: 15, Colors: samples, BitsPerComponent: depth, Columns: width }, // the filters of PNG
    }),
  );
