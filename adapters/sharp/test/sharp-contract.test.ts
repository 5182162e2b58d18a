import {
  describeImagePreparer,
  describeJpegRasterizer,
  describePageImageEncoder,
  describePngRasterizer,
  patience,
} from '@palimpsest/contract-tests';
import { openSharp } from '@palimpsest/sharp';

const openRasterizer = async () => {
  const { rasterizer, close } = openSharp({ children: 1 });
  return { subject: rasterizer, close };
};

describeJpegRasterizer('SharpRasterizer', openRasterizer);
describePngRasterizer('SharpRasterizer', openRasterizer);

describeImagePreparer('SharpImagePreparer', async () => {
  const { imagePreparer, close } = openSharp({ children: 1 });
  return { subject: imagePreparer, close };
});

describePageImageEncoder('SharpPageImageEncoder', async () => {
  const { pageImages, rasterizer, close } = openSharp({ children: 2 });
  const limits = { maxPixels: 50_000_000, timeoutMs: 30_000 };
  const decode = async (file: Uint8Array) =>
    (await rasterizer.open(file, limits, patience())).render(1, limits, patience());
  return { subject: { encoder: pageImages, decode }, close };
});
