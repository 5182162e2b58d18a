import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@palimpsest/core';
import { hasErrorCode } from './system-error.ts';

const NAME = /^palimpsest-([0-9a-f]{16})-([0-9]+)-/;

/**
 * Identifies the boot and the PID namespace (container) of this process. A process id has a meaning only within them.
 * `undefined` where the system does not tell.
 */
const processSpace = (() => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return createHash('sha256')
      .update(boot + readlinkSync('/proc/self/ns/pid'))
      .digest('hex')
      .slice(0, 16);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
})();

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasErrorCode(error, 'ESRCH');
  }
};

/** Translates the errors of a full or read-only disk: they are infrastructure failures, not faults of the document. */
const translatingDiskErrors = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE')) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', 'There is no room for temporary files. The page will be read later.', {
      cause: error,
    });
  }
};

/**
 * Makes an empty folder that only this user may enter (mode 0700). The caller removes it with {@link removePrivateFolder}.
 * Throws `SERVICE_UNAVAILABLE` if there is no room.
 */
export const makePrivateFolder = (): Promise<string> =>
  translatingDiskErrors(mkdtemp(join(tmpdir(), `palimpsest-${processSpace ?? '0'.repeat(16)}-${process.pid}-`)));

/** Writes a new file into a private folder and returns its path. Throws `SERVICE_UNAVAILABLE` if there is no room. */
export const writePrivateFile = async (folder: string, name: string, bytes: Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await translatingDiskErrors(writeFile(path, bytes, { mode: 0o600, flag: 'wx' }));
  return path;
};

/** Removes the folder with its content. It retries while a killed program may still write into it. Safe to repeat. */
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
 * Removes the private folders of killed processes. It does nothing where the system does not tell which processes are
 * gone, and it leaves the folders of other users.
 */
export const removeOrphanedFolders = async (): Promise<void> => {
  if (processSpace === undefined) return;
  for (const name of await readdir(tmpdir())) {
    const [, space, pid] = NAME.exec(name) ?? [];
    if (space !== processSpace || !isGone(Number(pid))) continue;
    try {
      await removePrivateFolder(join(tmpdir(), name));
    } catch (error) {
      if (!hasErrorCode(error, 'EACCES', 'EPERM')) throw error;
    }
  }
};
