import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from './system-error.ts';

/** Whether the system tells the memory of other processes (Linux). */
export const hasProcessTable = existsSync('/proc/self/status');

/** A file about a process, `undefined` if the process is gone. */
const readAbout = async (pid: number | string, name: string): Promise<string | undefined> => {
  try {
    return await readFile(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
};

/** Resident memory of a process in bytes, 0 if it is gone. */
export const residentBytes = async (pid: number): Promise<number> => {
  const status = (await readAbout(pid, 'status')) ?? '';
  // In kB, whatever the size of a memory page is; a zombie has none.
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
};

/** The process group, the third field behind the name, which is in brackets and may hold anything. */
const groupOf = (stat: string): number => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);

/** How the memory of a process group is learnt here; `undefined` where it is not (Windows). */
export const groupMemorySource: 'process table' | 'ps' | undefined = hasProcessTable
  ? 'process table'
  : process.platform === 'win32'
    ? undefined
    : 'ps';

/** Resident memory in bytes of all processes of a group; 0 if there are none, or if it is not told here. */
export const groupResidentBytes = async (group: number): Promise<number> => {
  if (groupMemorySource === undefined) return 0;
  if (groupMemorySource === 'ps') {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=', '-o', 'rss=']);
    const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/).map(Number));
    return rows.reduce((sum, [pgid, kilobytes = 0]) => (pgid === group ? sum + kilobytes * 1024 : sum), 0);
  }
  let bytes = 0;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readAbout(pid, 'stat');
    if (stat !== undefined && groupOf(stat) === group) bytes += await residentBytes(Number(pid));
  }
  return bytes;
};
