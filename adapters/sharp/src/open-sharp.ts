import { ChildPool, siblingModule } from '@palimpsest/child-process';
import { SharpImagePreparer } from './sharp-image-preparer.ts';
import { SharpPageImageEncoder } from './sharp-page-image-encoder.ts';
import { SharpRasterizer } from './sharp-rasterizer.ts';

/** The settings of {@link openSharp}. */
export interface SharpOptions {
  readonly children: number; // child processes at the same time, 1 or more
  readonly memoryLimitBytes?: number; // resident memory above which a child is killed; default: 700 MB
}

/**
 * Decodes image files, and measures, prepares and encodes page images, with sharp in child processes. `close` ends
 * these.
 */
export interface SharpAdapters {
  readonly rasterizer: SharpRasterizer;
  readonly imagePreparer: SharpImagePreparer;
  readonly pageImages: SharpPageImageEncoder;
  readonly close: () => Promise<void>;
}

/** Makes the image adapters. They share the children, which start with the first call. */
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
