import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@palimpsest/core';
import { hasErrorCode } from './system-error.ts';

const NAME = /^palimpsest-([0-9a-f]{16})-([0-9]+)-/;

/** Names the place where process ids have one meaning: this boot and, in containers, this namespace. */
const processSpace = (() => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return createHash('sha256')
      .update(boot + readlinkSync('/proc/self/ns/pid'))
      .digest('hex')
      .slice(0, 16);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined; // not told here
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

/** What the system refuses for now, whatever the file is that it would be for. */
const whileThereIsRoom = async <T>(work: Promise<T>): Promise<T> => {
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
 * A new empty folder that only this user may enter (mode 0700). To be removed with {@link removePrivateFolder}.
 * `SERVICE_UNAVAILABLE` if there is no room.
 */
export const makePrivateFolder = (): Promise<string> =>
  whileThereIsRoom(mkdtemp(join(tmpdir(), `palimpsest-${processSpace ?? '0'.repeat(16)}-${process.pid}-`)));

/** Writes a file of its own name into a private folder. `SERVICE_UNAVAILABLE` if there is no room. */
export const writePrivateFile = async (folder: string, name: string, bytes: Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await whileThereIsRoom(writeFile(path, bytes, { mode: 0o600, flag: 'wx' }));
  return path;
};

/** Removes the folder with all that is in it, also while a program that was killed is about to end. Safe to repeat. */
export const removePrivateFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 3 });

/** Runs `use` with a private folder, which is removed afterwards in every case. */
export const withPrivateFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await makePrivateFolder();
  try {
    return await use(folder);
  } finally {
    await removePrivateFolder(folder);
  }
};

/**
 * Removes the private folders of processes that were killed before they could. Only where the system tells who is gone;
 * those of other users stay.
 */
export const sweepPrivateFolders = async (): Promise<void> => {
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
