import { expect } from 'chai';
import type { BoundingBox, Cancellation, DecodeLimits, GreyImage, RasterDocument, Rasterizer } from '@palimpsest/core';
import { expectRefusal, rejectionOf } from '../kit/expectations.ts';
import { openOnce, type Open } from '../kit/harness.ts';
import { greyWithin, neverAborted } from '../kit/page-samples.ts';
import { describeWithTimeout } from '../kit/runner.ts';

/** The limits that the suites pass. */
export const LIMITS = { maxPixels: 50_000_000, timeoutMs: 30_000 };
const DARK = 90;
const LIGHT = 200;

/** Fails unless the image is dark within `mark` and light within `paper`, both relative (0..1) to its size. */
export const expectMark = (image: GreyImage, mark: BoundingBox, paper: BoundingBox): void => {
  expect(image.data.length, 'one byte a pixel').to.equal(image.width * image.height);
  const inPixels = ([x0, y0, x1, y1]: BoundingBox): BoundingBox => [
    Math.round(x0 * image.width),
    Math.round(y0 * image.height),
    Math.round(x1 * image.width),
    Math.round(y1 * image.height),
  ];
  expect(greyWithin(image, inPixels(mark)), 'the mark').to.be.below(DARK);
  expect(greyWithin(image, inPixels(paper)), 'the paper').to.be.above(LIGHT);
};

/** Boxes near the corners of a page, relative (0..1) to its size. */
export const TOP_LEFT: BoundingBox = [0.1, 0.1, 0.2, 0.2];
export const TOP_RIGHT: BoundingBox = [0.8, 0.1, 0.9, 0.2];
export const BOTTOM_LEFT: BoundingBox = [0.1, 0.8, 0.2, 0.9];
export const BOTTOM_RIGHT: BoundingBox = [0.8, 0.8, 0.9, 0.9];

/** The functions that the tests of every media type share. */
interface Tools {
  readonly load: (file: Uint8Array, limits?: DecodeLimits, signal?: Cancellation) => Promise<RasterDocument>;
  readonly render: (
    file: Uint8Array,
    number?: number,
    limits?: DecodeLimits,
    signal?: Cancellation,
  ) => Promise<GreyImage>;
}

/** Runs the tests that all media types share, then `tests`. */
export const describeMediaType = (
  title: string,
  mediaType: string,
  open: Open<Rasterizer>,
  aFile: () => Uint8Array | Promise<Uint8Array>,
  tests: (tools: Tools) => void,
): void => {
  describeWithTimeout(title, 60_000, () => {
    const opened = openOnce(open);
    const documents: RasterDocument[] = [];
    afterEach(async function closeTheDocuments() {
      for (const document of documents.splice(0)) await document.close();
    });
    const load: Tools['load'] = async (file, limits = LIMITS, signal = neverAborted()) => {
      const document = await opened().subject.open(file, limits, signal);
      documents.push(document);
      return document;
    };
    const render: Tools['render'] = async (file, number = 1, limits = LIMITS, signal = neverAborted()) =>
      (await load(file, limits, signal)).render(number, limits, signal);

    it(`lists ${mediaType} in its media types`, () => {
      expect(opened().subject.mediaTypes).to.include(mediaType);
    });

    it('throws DOCUMENT_DAMAGED for a file of another type and for an empty file', async () => {
      const otherFile = new TextEncoder().encode('/etc/passwd\n/etc/hostname\n');
      await expectRefusal('DOCUMENT_DAMAGED', () => render(otherFile));
      await expectRefusal('DOCUMENT_DAMAGED', () => render(new Uint8Array()));
    });

    it('throws the reason when the signal aborts, and renders the next page', async () => {
      const reason = new Error('enough');
      const file = await aFile();
      expect(await rejectionOf(() => load(file, LIMITS, AbortSignal.abort(reason)))).to.equal(reason);
      const document = await load(file);
      expect(await rejectionOf(() => document.render(1, LIMITS, AbortSignal.abort(reason)))).to.equal(reason);
      const controller = new AbortController();
      const work = document.render(1, LIMITS, controller.signal);
      controller.abort(reason);
      expect(await rejectionOf(() => work)).to.equal(reason);
      expect((await document.render(1, LIMITS, neverAborted())).width).to.be.above(1);
    });

    it('does not change the bytes of the file, and can be closed repeatedly', async () => {
      const file = await aFile();
      const before = Uint8Array.from(file);
      const document = await load(file);
      await document.render(1, LIMITS, neverAborted());
      await document.close();
      await document.close();
      expect(file).to.deep.equal(before);
    });

    tests({ load, render });
  });
};
