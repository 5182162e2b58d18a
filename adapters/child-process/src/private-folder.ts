import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@palimpsest/core';
import { hasErrorCode, hasProcessEnded, isDiskFailure, PROCESS_TAG, processTag } from '@palimpsest/files';

const NAME = new RegExp(`^palimpsest-(${PROCESS_TAG})-`);

/**
 * Translates the errors of a full, read-only or broken disk: they are infrastructure failures, not failures of the
 * document.
 */
const translatingDiskErrors = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isDiskFailure(error)) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', 'There is no space for temporary files. The page will be read later.', {
      cause: error,
    });
  }
};

/**
 * Makes an empty folder that only this user may enter (mode 0700). The caller must remove it with
 * {@link removePrivateFolder}. Throws `SERVICE_UNAVAILABLE` if the disk is full, read-only or broken.
 */
export const makePrivateFolder = (): Promise<string> =>
  translatingDiskErrors(mkdtemp(join(tmpdir(), `palimpsest-${processTag}-`)));

/**
 * Writes a new file into a private folder and returns its path. Throws `SERVICE_UNAVAILABLE` if the disk is full or
 * read-only.
 */
export const writePrivateFile = async (folder: string, name: string, bytes: Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await translatingDiskErrors(writeFile(path, bytes, { mode: 0o600, flag: 'wx' }));
  return path;
};

/** Removes the folder with its content. Retries, because a killed program may still write into it. Safe to repeat. */
export const removePrivateFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 3 });

/** Runs `use` with a private folder and removes the folder afterwards in every case. */
export const withPrivateFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await makePrivateFolder();
  try {
    return await use(folder);
  } finally {
    await removePrivateFolder(folder);
  }
};

/**
 * Removes the private folders that killed processes left behind. Keeps the folders of other users, and all folders if
 * the system does not identify its processes.
 */
export const removeOrphanedFolders = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const [, tag] = NAME.exec(name) ?? [];
    if (tag === undefined || !hasProcessEnded(tag)) continue;
    try {
      await removePrivateFolder(join(tmpdir(), name));
    } catch (error) {
      if (!hasErrorCode(error, 'EACCES', 'EPERM')) throw error;
    }
  }
};
