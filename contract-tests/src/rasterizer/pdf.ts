import { expect } from 'chai';
import { isAppError, type GreyImage, type Rasterizer } from '@palimpsest/core';
import { expectRefusal, rejectionOf } from '../kit/expectations.ts';
import type { Open } from '../kit/harness.ts';
import { aPdf, bombPdf, encryptedPdf, neverAborted, pdfMark } from '../kit/page-samples.ts';
import { BOTTOM_LEFT, BOTTOM_RIGHT, describeMediaType, expectMark, LIMITS, TOP_LEFT, TOP_RIGHT } from './media-type.ts';

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
