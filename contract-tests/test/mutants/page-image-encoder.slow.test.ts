import type { GreyImage, PageImageEncoder } from '@palimpsest/core';
import { openSharp } from '@palimpsest/sharp';
import { type DecodedPageImages, describePageImageEncoder } from '../../src/index.ts';
import { describeMutants, inPart, nextTurn, type Mutant, type Mutants } from './mutant.ts';

const neverAborted = new AbortController().signal;

/** Changes the image before it is encoded. */
const encoding =
  (change: (image: GreyImage) => GreyImage): Mutant<PageImageEncoder> =>
  (original) => ({ encode: (image, timeoutMs, signal) => original.encode(change(image), timeoutMs, signal) });

const eachPixel = (change: (value: number) => number): Mutant<PageImageEncoder> =>
  encoding((image) => ({ ...image, data: image.data.map(change) }));

const mutants: Mutants<PageImageEncoder> = {
  'compresses with a small loss': eachPixel((value) => (value > 1 && value < 254 ? value ^ 1 : value)),
  'swaps width and height': encoding(({ width, height, data }) => ({ width: height, height: width, data })),
  'encodes the whole buffer that the pixels are a part of': encoding((image) => ({
    ...image,
    data: new Uint8Array(image.data.buffer, 0, image.data.length),
  })),
  'encodes files of another media type than it states': ({ mediaType }) => ({
    mediaType: mediaType === 'image/png' ? 'image/webp' : 'image/png',
  }),
  'writes into the given image': (original) => ({
    encode: async (image, timeoutMs, signal) => {
      const file = await original.encode(image, timeoutMs, signal);
      image.data.fill(0);
      return file;
    },
  }),
  'mixes up images that are encoded at the same time': (original) => {
    let last: GreyImage;
    return {
      encode: async (image, timeoutMs, signal) => {
        last = image;
        await nextTurn();
        return await original.encode(last, timeoutMs, signal);
      },
    };
  },
  'ignores the timeout': (original) => ({
    encode: (image, _timeoutMs, signal) => original.encode(image, 30_000, signal),
  }),
  'ignores the abort signal': (original) => ({
    encode: (image, timeoutMs) => original.encode(image, timeoutMs, neverAborted),
  }),
};

describe('mutants of sharp', () => {
  const { pageImages, rasterizer, close } = openSharp({ children: 2 });
  after(close);
  const limits = { maxPixels: 50_000_000, timeoutMs: 30_000 };
  const openHandle = (): DecodedPageImages => ({
    encoder: pageImages,
    decode: async (file) => (await rasterizer.open(file, limits, neverAborted)).render(1, limits, neverAborted),
  });
  describeMutants('PageImageEncoder', describePageImageEncoder, openHandle, inPart('encoder', mutants));
});
