import * as node from 'node:fs/promises';
import { hasErrorCode } from '@palimpsest/files';

/** The file system calls of the store. */
export type FileSystem = Pick<typeof node, 'open' | 'link' | 'unlink' | 'mkdir' | 'readdir' | 'stat'>;

export const nodeFileSystem: FileSystem = node;

/**
 * Creates one folder that only this user can access, unless the folder exists. Its entry in the parent folder is not
 * yet durable.
 */
export const makeFolder = async (files: FileSystem, folder: string): Promise<void> => {
  try {
    await files.mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  }
};
