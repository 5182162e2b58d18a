import { expect } from 'chai';
import type { Rasterizer } from '@palimpsest/core';
import { expectRefusal } from '../kit/expectations.ts';
import type { Open } from '../kit/harness.ts';
import { markedCmykJpeg, markedExifJpeg } from '../kit/page-samples.ts';
import { describeMediaType, expectMark, LIMITS } from './media-type.ts';

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
