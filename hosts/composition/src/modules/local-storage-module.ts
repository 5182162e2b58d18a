import type { FilesConfig } from '../config.ts';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

/** Keeps the uploaded files in a local folder. */
export const openLocalStorageModule =
  ({ folder }: FilesConfig): OpenModule =>
  async () => {
    const { openLocalStorage } = await import('@palimpsest/local-storage');
    const blobs = await openLocalStorage({ folder });
    return portsModule({ blobs });
  };
