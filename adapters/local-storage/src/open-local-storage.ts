import { join, resolve } from 'node:path';
import { translated } from './errors.ts';
import { makeFolder, makeFolders, nodeFileSystem, syncFolder, type FileSystem } from './file-system.ts';
import { LocalBlobStore } from './local-blob-store.ts';
import { sweep } from './temporary-files.ts';

/** What opening a store on local files takes. */
export interface LocalStorageOptions {
  readonly folder: string; // made if it is not there
  readonly fileSystem?: FileSystem;
}

/**
 * Opens the blob store in a folder, which no other program writes to, and removes what killed processes left there.
 * Throws `SERVICE_UNAVAILABLE` where the disk is full, read-only or broken, and the system's error otherwise.
 */
export const openLocalStorage = async ({
  folder,
  fileSystem = nodeFileSystem,
}: LocalStorageOptions): Promise<LocalBlobStore> => {
  const root = resolve(folder);
  const blobFolder = join(root, 'blobs');
  const temporaryFolder = join(root, 'tmp');
  const open = async (): Promise<void> => {
    await makeFolders(fileSystem, root);
    await makeFolder(fileSystem, blobFolder);
    await makeFolder(fileSystem, temporaryFolder);
    await syncFolder(fileSystem, root);
    await sweep(fileSystem, temporaryFolder);
  };
  await translated(open());
  return new LocalBlobStore(blobFolder, temporaryFolder, fileSystem);
};
