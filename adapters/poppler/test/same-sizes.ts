import { markedPdf, neverAborted } from '@palimpsest/contract-tests/internal';
import type { MarkedPage } from '@palimpsest/contract-tests/internal';
import { isAppError } from '@palimpsest/core';
import type { BoundingBox, GreyImage, Rasterizer } from '@palimpsest/core';
import { openPdfium } from '@palimpsest/pdfium';
import { expect } from 'chai';

const LIMITS = { maxPixels: 30_000_000, timeoutMs: 30_000 };

/** Opens a rasterizer of PDF files that needs programs, or returns the reason why it is missing. */
export type OpenRasterizer = () => Promise<
  { readonly rasterizer: Rasterizer; readonly close: () => Promise<void> } | { readonly missing: string }
>;

/** The bounding box of all dark pixels. */
const darkBox = ({ width, height, data }: GreyImage): BoundingBox => {
  let [x0, y0, x1, y1] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[y * width + x] ?? 255) > 100) continue;
      [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x + 1), Math.max(y1, y + 1)];
    }
  }
  return [x0, y0, x1, y1];
};

const MARK = [60, 60, 160, 110] as const;
const LETTER = [0, 0, 612, 792] as const;
const pages: Readonly<Record<string, readonly MarkedPage[]>> = {
  'a Letter page': [{ media: LETTER, mark: MARK }],
  'A4 with the rounded sizes of scanners': [
    { media: [0, 0, 594.96, 842.04], mark: MARK },
    { media: [0, 0, 595.27559, 841.88976], mark: MARK },
    { media: [0, 0, 595.32, 841.92], mark: MARK },
  ],
  'A4 with its exact size': [{ media: [0, 0, 595.275590551, 841.889763779], mark: MARK }],
  'pages of different sizes': [
    { media: LETTER, mark: MARK },
    { media: [0, 0, 300.5, 200.25], mark: MARK },
    { media: [0, 0, 2384, 3370], mark: MARK },
  ],
  'a page above the pixel limit': [{ media: [0, 0, 14_400, 7_200], mark: [1000, 1000, 5000, 4000] }],
  'a crop box': [{ media: LETTER, crop: [36.5, 40.25, 400.75, 500.5], mark: MARK }],
  'a crop box larger than the page': [
    { media: LETTER, crop: [50, 30, 650, 700], mark: MARK },
    { media: LETTER, crop: [-9, -9, 700, 900], mark: MARK },
  ],
  'a page with an origin other than 0': [{ media: [-50.5, -20.3, 500, 700.7], mark: MARK }],
  'turned pages': ([90, 180, 270] as const).map((rotate) => ({
    media: [0, 0, 594.96, 842.04],
    crop: [10.1, 20.2, 500.3, 800.4],
    rotate,
    mark: MARK,
  })),
};

/**
 * Tests that images have the same size as those of PDFium, because the boxes of text layers refer to the pixels of
 * PDFium.
 */
export const describeSameSizes = (name: string, isInstalled: boolean, open: OpenRasterizer): void => {
  describe(`${name} and PDFium`, function () {
    this.timeout(120_000);
    if (!isInstalled) {
      it.skip(`is skipped: the programs of ${name} are not installed`);
      return;
    }
    let close: () => Promise<unknown>;
    let rasterizers: readonly Rasterizer[];
    before(async () => {
      const [opened, pdfium] = [await open(), openPdfium({ children: 1 })];
      if ('missing' in opened) throw new Error(opened.missing);
      rasterizers = [opened.rasterizer, pdfium.rasterizer];
      close = () => Promise.all([opened.close(), pdfium.close()]);
    });
    after(() => close());

    const renderBoth = (file: Uint8Array, number: number): Promise<readonly (GreyImage | string)[]> =>
      Promise.all(
        rasterizers.map(async (rasterizer) => {
          try {
            const document = await rasterizer.open(file, LIMITS, neverAborted());
            const image = await document.render(number, LIMITS, neverAborted());
            await document.close();
            return image;
          } catch (error) {
            if (isAppError(error)) return error.code;
            throw error;
          }
        }),
      );

    const expectSame = async (file: Uint8Array, number: number): Promise<void> => {
      const [one, other] = await renderBoth(file, number);
      if (typeof one !== 'object' || typeof other !== 'object') throw new Error('A page was not rendered.');
      expect([one.width, one.height], `page ${number}`).to.deep.equal([other.width, other.height]);
      const boxes = [darkBox(one), darkBox(other)];
      for (let side = 0; side < 4; side++)
        expect(boxes[0]?.[side], `side ${side} of the mark`).to.be.closeTo(boxes[1]?.[side] ?? Number.NaN, 2);
    };

    for (const [what, markedPages] of Object.entries(pages)) {
      it(`render images of the same size with the same content: ${what}`, async () => {
        for (let number = 1; number <= markedPages.length; number++) await expectSame(markedPdf(markedPages), number);
      });
    }

    it('render images of the same size: inherited boxes, and a UserUnit', async () => {
      await expectSame(
        markedPdf([{ media: LETTER, crop: [10, 10, 500, 600], rotate: 90, mark: MARK }], { inherits: true }),
        1,
      );
      const file = Buffer.from(markedPdf([{ media: LETTER, mark: MARK }]))
        .toString('latin1')
        .replace('/Rotate 0', '/Rotate 0 /UserUnit 2');
      await expectSame(Uint8Array.from(Buffer.from(file, 'latin1')), 1);
    });

    it('render images of the same size: owner protection, and broken cross references', async () => {
      await expectSame(markedPdf([{ media: LETTER, mark: MARK }], { protectedBy: 'owner' }), 1);
      await expectSame(markedPdf([{ media: LETTER, mark: MARK }], { crossReferences: 'broken' }), 1);
    });
  });
};
