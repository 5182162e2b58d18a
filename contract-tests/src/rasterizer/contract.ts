import { expect } from 'chai';
import { isAppError } from '@palimpsest/core';
import type { BoundingBox, Cancellation, DecodeLimits, GreyImage, RasterDocument, Rasterizer } from '@palimpsest/core';
import { expectRefusal, rejectionOf } from '../kit/expectations.ts';
import { openOnce } from '../kit/harness.ts';
import type { Open } from '../kit/harness.ts';
import {
  aPdf,
  aPng,
  bombPdf,
  encryptedPdf,
  greyWithin,
  markedCmykJpeg,
  markedExifJpeg,
  markedImage,
  neverAborted,
  pdfMark,
  pngKinds,
} from '../kit/page-samples.ts';
import { describeWithTimeout } from '../kit/runner.ts';

const LIMITS = { maxPixels: 50_000_000, timeoutMs: 30_000 };
const DARK = 90;
const LIGHT = 200;

/** Fails unless the image is dark within `mark` and light within `paper`, both relative (0..1) to its size. */
const expectMark = (image: GreyImage, mark: BoundingBox, paper: BoundingBox): void => {
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

const TOP_LEFT: BoundingBox = [0.1, 0.1, 0.2, 0.2];
const TOP_RIGHT: BoundingBox = [0.8, 0.1, 0.9, 0.2];
const BOTTOM_LEFT: BoundingBox = [0.1, 0.8, 0.2, 0.9];
const BOTTOM_RIGHT: BoundingBox = [0.8, 0.8, 0.9, 0.9];

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
const describeMediaType = (
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

/** Tests every promise of {@link Rasterizer} on PDF files. */
export const describePdfRasterizer = (name: string, open: Open<Rasterizer>): void => {
  const atTopLeft = pdfMark(61, 634, 61, 79);
  const atTopRight = pdfMark(490, 634, 61, 79);
  const atBottomLeft = pdfMark(61, 79, 61, 79);
  const threePages = (): Uint8Array =>
    aPdf([{ content: atTopLeft }, { content: atTopRight }, { content: atBottomLeft }]);
  describeMediaType(`${name}, a Rasterizer of PDF`, 'application/pdf', open, threePages, ({ load, render }) => {
    it('renders each page at 300 dpi, in any order and concurrently', async () => {
      const document = await load(threePages());
      expect(document.pageCount).to.equal(3);
      const draw = (number: number): Promise<GreyImage> => document.render(number, LIMITS, neverAborted());
      const [third, first, second] = await Promise.all([draw(3), draw(1), draw(2)]);
      expectMark(first, TOP_LEFT, TOP_RIGHT);
      expectMark(second, TOP_RIGHT, TOP_LEFT);
      expectMark(third, BOTTOM_LEFT, TOP_RIGHT);
      expect(first.width).to.be.closeTo(2550, 2);
      expect(first.height).to.be.closeTo(3300, 2);
      expectMark(await draw(2), TOP_RIGHT, BOTTOM_LEFT);
    });

    it('does not mix the pages of two open documents', async () => {
      const one = await load(aPdf([{ content: atTopLeft }]));
      const other = await load(aPdf([{ content: atTopRight }]));
      for (let i = 0; i < 2; i++) {
        expectMark(await one.render(1, LIMITS, neverAborted()), TOP_LEFT, TOP_RIGHT);
        expectMark(await other.render(1, LIMITS, neverAborted()), TOP_RIGHT, TOP_LEFT);
      }
    });

    for (const [rotate, mark] of [
      [90, TOP_RIGHT],
      [180, BOTTOM_RIGHT],
      [270, BOTTOM_LEFT],
    ] as const) {
      it(`rotates a page by its /Rotate ${rotate}`, async () => {
        const image = await render(aPdf([{ content: atTopLeft, rotate }]));
        expect(image.width > image.height).to.equal(rotate !== 180);
        expectMark(image, mark, TOP_LEFT);
      });
    }

    it('renders a huge page completely at a lower resolution, within `maxPixels`', async () => {
      const limits = { ...LIMITS, maxPixels: 1_000_000 };
      const content = pdfMark(1440, 11_520, 1440, 1440);
      const image = await render(aPdf([{ size: [14_400, 14_400], content }]), 1, limits);
      expect(image.width * image.height).to.be.within(800_000, 1_000_000);
      expectMark(image, TOP_LEFT, BOTTOM_RIGHT);
    });

    it('returns no empty or 1 x 1 image for a page without area', async () => {
      for (const size of [
        [14_400, 0.001],
        [0.001, 0.001],
      ] as const) {
        const outcome = await render(aPdf([{ size }])).catch((error: unknown) => error);
        if (isAppError(outcome)) expect(outcome.code).to.be.oneOf(['PAGE_TOO_LARGE', 'DOCUMENT_DAMAGED']);
        else expect(outcome).to.satisfy((image: GreyImage) => image.width > 1 && image.height > 1);
      }
    });

    it('throws the code for a document that needs a password, has no pages or is damaged', async () => {
      await expectRefusal('DOCUMENT_ENCRYPTED', () => render(encryptedPdf()));
      await expectRefusal('DOCUMENT_WITHOUT_PAGES', () => render(aPdf([])));
      await expectRefusal('DOCUMENT_DAMAGED', () => render(new TextEncoder().encode('%PDF-1.7\n%%EOF\n')));
    });

    it('throws for a page that takes too long or too much memory, and renders the next document', async () => {
      const error = await rejectionOf(() => render(bombPdf(), 1, { ...LIMITS, timeoutMs: 500 }));
      expect(isAppError(error, 'PAGE_TIMED_OUT', 'PAGE_OUT_OF_MEMORY'), String(error)).to.equal(true);
      expectMark(await render(threePages()), TOP_LEFT, TOP_RIGHT);
    });
  });
};

/** Tests every promise of {@link Rasterizer} on PNG files. */
export const describePngRasterizer = (name: string, open: Open<Rasterizer>): void => {
  const image = markedImage(100, 60, [8, 4, 22, 14]);
  describeMediaType(
    `${name}, a Rasterizer of PNG`,
    'image/png',
    open,
    () => aPng(image),
    ({ load, render }) => {
      for (const kind of pngKinds) {
        it(`decodes a PNG: ${kind}`, async () => {
          const document = await load(aPng(image, kind));
          expect(document.pageCount).to.equal(1);
          const decoded = await document.render(1, LIMITS, neverAborted());
          expect([decoded.width, decoded.height]).to.deep.equal([100, 60]);
          expectMark(decoded, TOP_LEFT, BOTTOM_RIGHT);
        });
      }

      it('does not mix two files that are decoded concurrently', async () => {
        const [one, other] = await Promise.all([
          render(aPng(image)),
          render(aPng(markedImage(90, 60, [70, 4, 83, 14]))),
        ]);
        expectMark(one, TOP_LEFT, TOP_RIGHT);
        expectMark(other, TOP_RIGHT, TOP_LEFT);
      });

      it('throws PAGE_TOO_LARGE for more pixels in the header than `maxPixels`', async () => {
        await expectRefusal('PAGE_TOO_LARGE', () => render(aPng(image), 1, { ...LIMITS, maxPixels: 5999 }));
        await expectRefusal('PAGE_TOO_LARGE', () =>
          render(aPng(image, 'grey', { ...image, width: 30_000, height: 30_000 })),
        );
        await expectRefusal('PAGE_TOO_LARGE', () =>
          render(aPng(image, 'grey', { ...image, width: 40_000, height: 2 })),
        );
        expect((await render(aPng(image), 1, { ...LIMITS, maxPixels: 6000 })).width).to.equal(100);
      });

      it('throws DOCUMENT_DAMAGED for a truncated file', async () => {
        const file = aPng(markedImage(300, 300, [8, 4, 22, 14], [100, 50, 104, 290]));
        await expectRefusal('DOCUMENT_DAMAGED', () => render(file.subarray(0, file.length - 60)));
      });
    },
  );
};

/** Tests every promise of {@link Rasterizer} on JPEG files. */
export const describeJpegRasterizer = (name: string, open: Open<Rasterizer>): void => {
  describeMediaType(`${name}, a Rasterizer of JPEG`, 'image/jpeg', open, markedExifJpeg, ({ render }) => {
    it('rotates the image by its EXIF orientation', async () => {
      const image = await render(await markedExifJpeg());
      expect([image.width, image.height]).to.deep.equal([40, 60]);
      expectMark(image, [0.85, 0.03, 0.98, 0.22], [0.05, 0.1, 0.6, 0.9]);
    });

    it('decodes CMYK without inverting it', async () => {
      expectMark(await render(await markedCmykJpeg()), [0.02, 0.03, 0.22, 0.15], [0.5, 0.5, 0.9, 0.9]);
    });

    it('throws for a truncated file and for more pixels than `maxPixels`', async () => {
      const file = await markedExifJpeg();
      await expectRefusal('DOCUMENT_DAMAGED', () => render(file.subarray(0, file.length - 100)));
      await expectRefusal('PAGE_TOO_LARGE', () => render(file, 1, { ...LIMITS, maxPixels: 2399 }));
    });
  });
};
