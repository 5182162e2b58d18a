import { ChildPool, siblingModule } from '@palimpsest/child-process';
import { SharpImagePreparer } from './sharp-image-preparer.ts';
import { SharpPageImageEncoder } from './sharp-page-image-encoder.ts';
import { SharpRasterizer } from './sharp-rasterizer.ts';

export interface SharpOptions {
  readonly children: number; // child processes at once, >= 1
  readonly memoryLimitBytes?: number; // resident memory at which a child is killed; 700 MB
}

/** sharp in child processes: image files as documents; page images measured, prepared and made files. */
export interface SharpAdapters {
  readonly rasterizer: SharpRasterizer;
  readonly imagePreparer: SharpImagePreparer;
  readonly pageImages: SharpPageImageEncoder;
  readonly close: () => Promise<void>;
}

/** Makes the image adapters. Children start at the first need and are shared by all. */
export const openSharp = ({ children, memoryLimitBytes }: SharpOptions): SharpAdapters => {
  const pool = new ChildPool({
    script: siblingModule('sharp-child', import.meta.url),
    size: children,
    addons: true,
    ...(memoryLimitBytes !== undefined && { memoryLimitBytes }),
  });
  return {
    rasterizer: new SharpRasterizer(pool),
    imagePreparer: new SharpImagePreparer(pool),
    pageImages: new SharpPageImageEncoder(pool),
    close: () => pool.close(),
  };
};
