import {
  describeImagePreparer,
  describeJpegRasterizer,
  describePageImageEncoder,
  describePngRasterizer,
} from '@palimpsest/contract-tests';
import { neverAborted } from '@palimpsest/contract-tests/internal';
import type { GreyImage } from '@palimpsest/core';
import { openSharp } from '@palimpsest/sharp';
import type { SharpAdapters } from '@palimpsest/sharp';

// All tests share the children, because each start of a child costs half a second of CPU time.
describe('sharp', () => {
  let adapters: SharpAdapters;
  before(() => {
    adapters = openSharp({ children: 2 });
  });
  after(() => adapters.close());
  const close = async (): Promise<void> => {};

  const openRasterizer = async () => ({ subject: adapters.rasterizer, close });
  describeJpegRasterizer('SharpRasterizer', openRasterizer);
  describePngRasterizer('SharpRasterizer', openRasterizer);

  describeImagePreparer('SharpImagePreparer', async () => ({ subject: adapters.imagePreparer, close }));

  describePageImageEncoder('SharpPageImageEncoder', async () => {
    const limits = { maxPixels: 50_000_000, timeoutMs: 30_000 };
    const decode = async (file: Uint8Array): Promise<GreyImage> =>
      (await adapters.rasterizer.open(file, limits, neverAborted())).render(1, limits, neverAborted());
    return { subject: { encoder: adapters.pageImages, decode }, close };
  });
});
