import { join, resolve } from 'node:path';
import { makeFolders, removeStaleFiles, syncFolder } from '@palimpsest/files';
import { translated } from './errors.ts';
import { makeFolder, nodeFileSystem, type FileSystem } from './file-system.ts';
import { LocalBlobStore } from './local-blob-store.ts';

/** The options of {@link openLocalStorage}. */
export interface LocalStorageOptions {
  readonly folder: string; // created if it does not exist
  readonly fileSystem?: FileSystem;
}

/**
 * Opens the blob store in a folder and deletes incomplete files of killed processes. No other program may write there.
 * Throws `SERVICE_UNAVAILABLE` if the disk is full, read-only or broken, and other system errors unchanged.
 */
export const openLocalStorage = async ({
  folder,
  fileSystem = nodeFileSystem,
}: LocalStorageOptions): Promise<LocalBlobStore> => {
  const root = resolve(folder);
  const blobFolder = join(root, 'blobs');
  const temporaryFolder = join(root, 'tmp');
  const open = async (): Promise<void> => {
    await makeFolders(root, fileSystem);
    await makeFolder(fileSystem, blobFolder);
    await makeFolder(fileSystem, temporaryFolder);
    await syncFolder(root, fileSystem);
    await removeStaleFiles(temporaryFolder, fileSystem);
  };
  await translated(open());
  return new LocalBlobStore(blobFolder, temporaryFolder, fileSystem);
};
