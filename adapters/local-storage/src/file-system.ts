import * as node from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './errors.ts';

/** The calls of the file system that the store makes. */
export type FileSystem = Pick<typeof node, 'open' | 'link' | 'unlink' | 'mkdir' | 'readdir' | 'stat'>;

export const nodeFileSystem: FileSystem = node;

/** Makes the entries of a folder durable. Windows cannot open folders for this; NTFS journals their entries itself. */
export const syncFolder = async (files: FileSystem, folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await files.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Makes a folder for this user alone, and all folders above it that are missing, durably. */
export const makeFolders = async (files: FileSystem, folder: string): Promise<void> => {
  const firstMade = await files.mkdir(folder, { recursive: true, mode: 0o700 });
  if (firstMade === undefined) return;
  for (let made = folder; made.length >= firstMade.length; made = dirname(made)) {
    await syncFolder(files, dirname(made));
  }
};

/** Makes one folder for this user alone, unless it is there. Its entry in the folder above is not yet durable. */
export const makeFolder = async (files: FileSystem, folder: string): Promise<void> => {
  try {
    await files.mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
};
