import { ContainerModule } from 'inversify';
import { T } from '../port-symbols.ts';
import type { OpenModule } from './opening.ts';

/** The uploaded files in a folder. */
export const openLocalStorageModule: OpenModule = async ({ config }) => {
  const { openLocalStorage } = await import('@palimpsest/local-storage');
  const blobs = await openLocalStorage({ folder: config.blobFolder });
  return new ContainerModule(({ bind }) => {
    bind(T.blobs).toConstantValue(blobs);
  });
};
