import { expect } from 'chai';
import type { Rasterizer } from '@palimpsest/core';
import { expectRefusal } from '../kit/expectations.ts';
import type { Open } from '../kit/harness.ts';
import { aPng, markedImage, neverAborted, pngKinds } from '../kit/page-samples.ts';
import { BOTTOM_RIGHT, describeMediaType, expectMark, LIMITS, TOP_LEFT, TOP_RIGHT } from './media-type.ts';

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
