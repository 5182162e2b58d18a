import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hasErrorCode } from './system-error.ts';

const UNKNOWN = 'any';

/** The regular expression of a {@link processTag}. */
export const PROCESS_TAG = `(?:[0-9a-f]{16}|${UNKNOWN})-[0-9]+`;

/**
 * Identifies the set of processes that share process ids with this one: this boot of this machine and, because
 * containers number their processes themselves, this PID namespace. {@link UNKNOWN} if the system does not provide
 * both.
 */
const processSpace = (() => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return createHash('sha256')
      .update(boot + readlinkSync('/proc/self/ns/pid'))
      .digest('hex')
      .slice(0, 16);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return UNKNOWN;
    throw error;
  }
})();

/** Identifies this process in the name of a temporary file or folder. */
export const processTag = `${processSpace}-${process.pid}`;

/** Whether the process with this tag has certainly ended. `false` if the system does not identify its processes. */
export const hasProcessEnded = (tag: string): boolean => {
  const [space, pid] = tag.split('-');
  if (space === UNKNOWN || space !== processSpace) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return hasErrorCode(error, 'ESRCH');
  }
};
