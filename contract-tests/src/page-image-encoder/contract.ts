import { sniffMediaType } from '@palimpsest/core';
import type { GreyImage, PageImageEncoder } from '@palimpsest/core';
import { expect } from 'chai';
import { expectRefusal, rejectionOf } from '../kit/expectations.ts';
import { openOnce } from '../kit/harness.ts';
import type { Open } from '../kit/harness.ts';
import { markedImage, neverAborted, textSample } from '../kit/page-samples.ts';
import { describeWithTimeout } from '../kit/runner.ts';

const TIMEOUT_MS = 30_000;

/** An encoder, and an independent decoder of its files. */
export interface DecodedPageImages {
  readonly encoder: PageImageEncoder;
  /** Decodes a file as a viewer does. */
  readonly decode: (file: Uint8Array) => Promise<GreyImage>;
}

/** An image of noise. From 256 pixels on, it contains every grey value. */
const noiseImage = (width: number, height: number): GreyImage => {
  const data = new Uint8Array(width * height);
  let state = 1;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    data[i] = i < 256 ? i : state >>> 24;
  }
  return { width, height, data };
};

const expectSame = (decoded: GreyImage, image: GreyImage): void => {
  expect([decoded.width, decoded.height], 'width and height').to.deep.equal([image.width, image.height]);
  expect(decoded.data.length, 'one byte a pixel').to.equal(image.data.length);
  expect(
    decoded.data.findIndex((value, i) => value !== image.data[i]),
    'the first pixel that differs',
  ).to.equal(-1);
};

/** Tests every promise of {@link PageImageEncoder}. */
export const describePageImageEncoder = (name: string, open: Open<DecodedPageImages>): void => {
  describeWithTimeout(`${name}, a PageImageEncoder`, 60_000, () => {
    const opened = openOnce(open);
    const encode = (image: GreyImage, signal = neverAborted()): Promise<Uint8Array> =>
      opened().subject.encoder.encode(image, TIMEOUT_MS, signal);
    const throughFile = async (image: GreyImage): Promise<GreyImage> => opened().subject.decode(await encode(image));

    it('encodes files of its media type', async () => {
      const { mediaType } = opened().subject.encoder;
      expect(mediaType).to.be.oneOf(['image/png', 'image/webp']);
      const file = await encode(markedImage(40, 60, [8, 4, 22, 14]));
      expect(file).to.be.instanceOf(Uint8Array);
      if (mediaType === 'image/png') expect(sniffMediaType(file)).to.equal(mediaType);
      else
        expect(Buffer.from(file.subarray(0, 4)).toString() + Buffer.from(file.subarray(8, 12)).toString()).to.equal(
          'RIFFWEBP',
        );
    });

    it('keeps every pixel of a page of text', async () => {
      const { image } = await textSample('harbour');
      const file = await encode(image);
      expectSame(await opened().subject.decode(file), image);
    });

    it('keeps every grey value', async () => {
      const image = noiseImage(301, 97);
      expectSame(await throughFile(image), image);
    });

    for (const [width, height] of [
      [1, 1],
      [2, 2],
      [1, 500],
      [500, 1],
    ] as const) {
      it(`keeps every pixel of an image of ${width} by ${height}`, async () => {
        const image = noiseImage(width, height);
        expectSame(await throughFile(image), image);
      });
    }

    it('encodes an image that is part of a larger buffer', async () => {
      const image = noiseImage(60, 40);
      const larger = new Uint8Array(image.data.length + 100);
      larger.set(image.data, 50);
      expectSame(await throughFile({ ...image, data: larger.subarray(50, 50 + image.data.length) }), image);
    });

    it('does not change the given image', async () => {
      const image = noiseImage(60, 40);
      const before = image.data.slice();
      await encode(image);
      expect(image.data).to.deep.equal(before);
    });

    it('does not mix images that are encoded concurrently', async () => {
      const images = [1, 2, 3, 4].map((i) => markedImage(100 + i, 80, [i * 10, 10, i * 10 + 10, 40]));
      const decoded = await Promise.all(images.map(throughFile));
      images.forEach((image, i) => expectSame(decoded[i] ?? markedImage(1, 1), image));
    });

    it('throws PAGE_TIMED_OUT after the timeout, and encodes the next image', async () => {
      // Such a large image does not even reach the encoder within 1 ms.
      await expectRefusal('PAGE_TIMED_OUT', () =>
        opened().subject.encoder.encode(noiseImage(5000, 5000), 1, neverAborted()),
      );
      const image = markedImage(100, 80, [10, 10, 20, 40]);
      expectSame(await throughFile(image), image);
    });

    it('throws the reason when the signal aborts, and processes the next page', async () => {
      const reason = new Error('enough');
      const image = noiseImage(600, 400);
      expect(await rejectionOf(() => encode(image, AbortSignal.abort(reason)))).to.equal(reason);
      const controller = new AbortController();
      const work = encode(image, controller.signal);
      controller.abort(reason);
      expect(await rejectionOf(() => work)).to.equal(reason);
      expectSame(await throughFile(image), image);
    });
  });
};
