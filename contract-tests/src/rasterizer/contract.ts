export { describeJpegRasterizer } from './jpeg.ts';
export { describePdfRasterizer } from './pdf.ts';
export { describePngRasterizer } from './png.ts';
