import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hasErrorCode } from './system-error.ts';

/** Whether the system tells the memory of other processes (Linux). */
export const hasProcessTable = existsSync('/proc/self/status');

/** Resident memory of a process in bytes, 0 if it is gone. */
export const residentBytes = async (pid: number): Promise<number> => {
  let status: string;
  try {
    status = await readFile(`/proc/${pid}/status`, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ESRCH')) return 0;
    throw error;
  }
  // In kB, whatever the size of a memory page is; a zombie has none.
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
};
