import { PDFHexString, type PDFContext, type PDFObject, type PDFRef } from '@cantoo/pdf-lib';
import type { JpegFrame } from './jpeg-frame.ts';
import type { PngParts } from './png-parts.ts';

const KINDS: Readonly<Record<number, { readonly device: string; readonly profile: string }>> = {
  1: { device: 'DeviceGray', profile: 'GRAY' },
  3: { device: 'DeviceRGB', profile: 'RGB ' },
  4: { device: 'DeviceCMYK', profile: 'CMYK' },
};
const PROFILE_KIND = { start: 16, end: 20 }; // the bytes of the colour space in the header of an ICC profile
const MAX_PROFILE_BYTES = 100_000; // larger ones, of printing presses, change the colours little

/**
 * The colour space of an image: a copy of its ICC profile, because PDF readers ignore the profile inside the image
 * data. A device colour space if there is no usable profile.
 */
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

/**
 * Adds a JPEG file unchanged. `embedJpg` of pdf-lib would drop the ICC profile, invert CMYK images without an Adobe
 * marker, and accept lossless and arithmetic coding, which PDF readers cannot decode.
 */
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

const COLOUR_BYTES = 3; // of a palette entry

/**
 * Adds the compressed rows of a PNG file unchanged. `embedPng` of pdf-lib would decode the image in JavaScript, with at
 * least 7 bytes per pixel, and store black and white images and palettes as RGB.
 */
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
      DecodeParms: { Predictor: 15, Colors: samples, BitsPerComponent: depth, Columns: width }, // predictor 15: the row filters of PNG
    }),
  );
