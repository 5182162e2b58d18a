import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode, unlessAbsent } from './errors.ts';
import type { FileSystem } from './file-system.ts';

const STALE_AFTER_MS = 3_600_000;
const NAME = /^([0-9a-f]{16}|any)-([0-9]+)-[0-9a-f-]{36}$/;

/**
 * Names the place where process ids have one meaning: this boot of this machine and, as containers number their
 * processes themselves, this namespace. `any` where the system does not tell.
 */
const processSpace = (() => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return createHash('sha256')
      .update(boot + readlinkSync('/proc/self/ns/pid'))
      .digest('hex')
      .slice(0, 16);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return 'any';
    throw error;
  }
})();

/** A new name for a file that is being written. It tells which process writes it. */
export const temporaryName = (): string => `${processSpace}-${process.pid}-${randomUUID()}`;

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, 'ESRCH');
  }
};

/** Whether the process that wrote the file is known to be gone: only where its id means the same here. */
const isOrphan = (name: string): boolean => {
  const [, space, pid] = NAME.exec(name) ?? [];
  return space === processSpace && space !== 'any' && isGone(Number(pid));
};

/**
 * Removes what killed processes left half-written in `folder`: files whose process is gone, and files to which nothing
 * was written for an hour. Others may be somebody's work.
 */
export const sweep = async (files: FileSystem, folder: string): Promise<void> => {
  for (const name of await files.readdir(folder)) {
    const path = join(folder, name);
    const info = await unlessAbsent(files.stat(path));
    if (info?.isFile() && (isOrphan(name) || info.mtimeMs < Date.now() - STALE_AFTER_MS)) {
      await unlessAbsent(files.unlink(path));
    }
  }
};
