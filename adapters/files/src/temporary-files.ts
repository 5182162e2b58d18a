import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import * as node from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from './system-error.ts';

const STALE_AFTER_MS = 3_600_000;
const NAME = /^\.?([0-9a-f]{16}|any)-([0-9]+)-[0-9a-f-]{36}(?:\.part)?$/; // earlier versions had no dot and no `.part`

/**
 * Identifies the set of processes that share process ids with this one: this boot of this machine and, because
 * each container numbers its own processes, this PID namespace. `any` if the system has no such information.
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

/** A new name for a file that is being written. The name identifies the writing process. */
export const temporaryName = (): string => `.${processSpace}-${process.pid}-${randomUUID()}.part`;

const hasEnded = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasErrorCode(error, 'ESRCH');
  }
};

const unlessAbsent = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/**
 * Deletes the temporary files in `folder` that killed processes left behind: the files of processes that no longer run,
 * and the files without a write for an hour. Keeps all other files, because a process may still write them.
 */
export const removeStaleFiles = async (
  folder: string,
  files: Pick<typeof node, 'readdir' | 'stat' | 'unlink'> = node,
): Promise<void> => {
  for (const name of await files.readdir(folder)) {
    const [, space, pid] = NAME.exec(name) ?? [];
    if (space === undefined) continue;
    const path = join(folder, name);
    const info = await unlessAbsent(files.stat(path));
    if (!info?.isFile()) continue;
    const isOrphan = space === processSpace && space !== 'any' && hasEnded(Number(pid));
    if (isOrphan || info.mtimeMs < Date.now() - STALE_AFTER_MS) await unlessAbsent(files.unlink(path));
  }
};
