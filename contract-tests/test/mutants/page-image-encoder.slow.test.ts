import type { GreyImage, PageImageEncoder } from '@palimpsest/core';
import { openSharp } from '@palimpsest/sharp';
import { type DecodedPageImages, describePageImageEncoder } from '../../src/index.ts';
import { describeMutants, inPart, turn, type Mutant, type Mutants } from './mutant.ts';

const neverAborted = new AbortController().signal;

/** Changes the image before it is encoded. */
const encoding =
  (change: (image: GreyImage) => GreyImage): Mutant<PageImageEncoder> =>
  (sound) => ({ encode: (image, timeoutMs, signal) => sound.encode(change(image), timeoutMs, signal) });

const eachPixel = (change: (value: number) => number): Mutant<PageImageEncoder> =>
  encoding((image) => ({ ...image, data: image.data.map(change) }));

const mutants: Mutants<PageImageEncoder> = {
  'compresses with a small loss': eachPixel((value) => (value > 1 && value < 254 ? value ^ 1 : value)),
  'swaps width and height': encoding(({ width, height, data }) => ({ width: height, height: width, data })),
  'encodes the whole buffer that the pixels are a part of': encoding((image) => ({
    ...image,
    data: new Uint8Array(image.data.buffer, 0, image.data.length),
  })),
  'makes files of another media type than it names': ({ mediaType }) => ({
    mediaType: mediaType === 'image/png' ? 'image/webp' : 'image/png',
  }),
  'writes into the given image': (sound) => ({
    encode: async (image, timeoutMs, signal) => {
      const file = await sound.encode(image, timeoutMs, signal);
      image.data.fill(0);
      return file;
    },
  }),
  'mixes up images that are encoded at the same time': (sound) => {
    let last: GreyImage;
    return {
      encode: async (image, timeoutMs, signal) => {
        last = image;
        await turn();
        return await sound.encode(last, timeoutMs, signal);
      },
    };
  },
  'ignores the timeout': (sound) => ({ encode: (image, _timeoutMs, signal) => sound.encode(image, 30_000, signal) }),
  'ignores the abort signal': (sound) => ({
    encode: (image, timeoutMs) => sound.encode(image, timeoutMs, neverAborted),
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
