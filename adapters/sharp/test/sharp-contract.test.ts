import { describeImagePreparer, describeRasterizer } from '@palimpsest/contract-tests';
import { openSharp } from '@palimpsest/sharp';

describeRasterizer(
  'SharpRasterizer',
  async () => {
    const { rasterizer, close } = openSharp({ children: 1 });
    return { subject: rasterizer, close };
  },
  ['image/jpeg', 'image/png'],
);

describeImagePreparer('SharpImagePreparer', async () => {
  const { imagePreparer, close } = openSharp({ children: 1 });
  return { subject: imagePreparer, close };
});
