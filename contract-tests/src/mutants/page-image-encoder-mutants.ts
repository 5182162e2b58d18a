import { inflateSync } from 'node:zlib';
import type { Cancellation, GreyImage, PageImageEncoder } from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';
import type { DecodedPageImages } from '../page-image-encoder/contract.ts';
import { aPng } from '../kit/page-samples.ts';
import { refusal, takeTurn } from './page-fakes.ts';

const HEADER_END = 33; // of a PNG: signature and IHDR
const CHUNK_FRAME = 12;

/** Decodes what the encoder below makes: 8-bit grey without filters, in one IDAT. */
const decode = async (file: Uint8Array): Promise<GreyImage> => {
  const bytes = Buffer.from(file);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const rows = inflateSync(
    bytes.subarray(HEADER_END + 8, HEADER_END + CHUNK_FRAME - 4 + bytes.readUInt32BE(HEADER_END)),
  );
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) data.set(rows.subarray(y * (width + 1) + 1, (y + 1) * (width + 1)), y * width);
  return { width, height, data };
};

const PIXELS_PER_MS = 1_000_000;

/** A sound encoder in this process, small enough to be broken in one place at a time. */
class PlainPageImageEncoder implements PageImageEncoder {
  readonly mediaType: string = 'image/png';

  async encode(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<Uint8Array> {
    await this.pause(signal);
    this.checkTime(image, timeoutMs);
    return this.toFile(image);
  }

  protected pause(signal: Cancellation): Promise<void> {
    return takeTurn(signal);
  }

  /** As one that is slow would have it. */
  protected checkTime({ data }: GreyImage, timeoutMs: number): void {
    if (data.length > timeoutMs * PIXELS_PER_MS) throw refusal('PAGE_TIMED_OUT');
  }

  protected toFile(image: GreyImage): Uint8Array {
    return aPng(image);
  }
}

const openWith =
  (Encoder: typeof PlainPageImageEncoder): Open<DecodedPageImages> =>
  async () => ({ subject: { encoder: new Encoder(), decode }, close: async () => {} });

const changingImage = (change: (image: GreyImage) => GreyImage): Open<DecodedPageImages> =>
  openWith(
    class extends PlainPageImageEncoder {
      protected override toFile(image: GreyImage): Uint8Array {
        return super.toFile(change(image));
      }
    },
  );

const changingPixels = (change: (value: number, index: number) => number): Open<DecodedPageImages> =>
  changingImage((image) => ({ ...image, data: image.data.map(change) }));

/** The encoder that the mutants are made of passes the suite. */
export const plainPageImageEncoder: Open<DecodedPageImages> = openWith(PlainPageImageEncoder);

/** Broken encoders, by what is wrong with them. */
export const pageImageEncoderMutants: Readonly<Record<string, Open<DecodedPageImages>>> = {
  'gives white pages': changingPixels(() => 255),
  'gives the negative': changingPixels((value) => 255 - value),
  'keeps black and white alone': changingPixels((value) => (value < 128 ? 0 : 255)),
  'keeps 16 greys': changingPixels((value) => Math.round(value / 17) * 17),
  'loses a little': changingPixels((value) => (value > 1 && value < 254 ? value ^ 1 : value)),
  'loses the last pixel': changingImage((image) => ({
    ...image,
    data: image.data.map((value, i) => (i === image.data.length - 1 ? 127 : value)),
  })),
  'swaps the sides': changingImage(({ width, height, data }) => ({ width: height, height: width, data })),
  'cuts off the last column': changingImage((image) => {
    const width = Math.max(1, image.width - 1);
    return { width, height: image.height, data: image.data.filter((_, i) => i % image.width < width) };
  }),
  'enlarges what is tiny': changingImage((image) => {
    const [width, height] = [Math.max(2, image.width), Math.max(2, image.height)];
    return { width, height, data: new Uint8Array(width * height).map((_, i) => image.data[i] ?? 255) };
  }),
  'reads the whole buffer that the pixels are a part of': changingImage((image) => ({
    ...image,
    data: new Uint8Array(image.data.buffer, 0, image.data.length),
  })),
  'makes files of another kind than it says': openWith(
    class extends PlainPageImageEncoder {
      override readonly mediaType = 'image/webp';
    },
  ),
  'names a media type of its own': openWith(
    class extends PlainPageImageEncoder {
      override readonly mediaType = 'image/x-portable-graymap';
    },
  ),
  'does not compress': openWith(
    class extends PlainPageImageEncoder {
      protected override toFile(image: GreyImage): Uint8Array {
        return Buffer.concat([super.toFile(image), Buffer.alloc(image.data.length)]);
      }
    },
  ),
  'writes into the image': openWith(
    class extends PlainPageImageEncoder {
      protected override toFile(image: GreyImage): Uint8Array {
        const file = super.toFile(image);
        image.data.fill(0);
        return file;
      }
    },
  ),
  'encodes the image that came last': openWith(
    class extends PlainPageImageEncoder {
      #last: GreyImage | undefined;
      override async encode(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<Uint8Array> {
        this.#last = image;
        await this.pause(signal);
        this.checkTime(image, timeoutMs);
        return this.toFile(this.#last);
      }
    },
  ),
  'gives the first file again': openWith(
    class extends PlainPageImageEncoder {
      #first: Uint8Array | undefined;
      protected override toFile(image: GreyImage): Uint8Array {
        return (this.#first ??= super.toFile(image));
      }
    },
  ),
  'takes all the time it needs': openWith(
    class extends PlainPageImageEncoder {
      protected override checkTime(): void {}
      protected override toFile(image: GreyImage): Uint8Array {
        return image.data.length > PIXELS_PER_MS ? new Uint8Array() : super.toFile(image); // late, which is all that counts
      }
    },
  ),
  'ignores the signal': openWith(
    class extends PlainPageImageEncoder {
      protected override pause(): Promise<void> {
        return super.pause(new AbortController().signal);
      }
    },
  ),
};
