export * from './open-sharp.ts';
export * from './sharp-image-preparer.ts';
export * from './sharp-page-image-encoder.ts';
export * from './sharp-rasterizer.ts';
