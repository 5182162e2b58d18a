import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from '@palimpsest/files';

/** Whether the memory of other processes can be read from `/proc` (Linux). */
export const hasProcessTable = existsSync('/proc/self/status');

/** The content of a file in `/proc/<pid>`; `undefined` if the process has ended. */
const readProcessFile = async (pid: number | string, name: string): Promise<string | undefined> => {
  try {
    return await readFile(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
};

/** The resident memory of a process in bytes; 0 if the process has ended. */
export const residentBytes = async (pid: number): Promise<number> => {
  const status = (await readProcessFile(pid, 'status')) ?? '';
  // A zombie has no VmRSS.
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
};

/**
 * The process group is the third field after the program name. The name is in brackets and may contain any character.
 */
const groupOf = (stat: string): number => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);

/** The source for the memory of a process group; `undefined` on Windows, which has no such source. */
export const groupMemorySource: 'process table' | 'ps' | undefined = hasProcessTable
  ? 'process table'
  : process.platform === 'win32'
    ? undefined
    : 'ps';

/** The resident memory of all processes of a group in bytes; 0 if there are none or the memory cannot be read. */
export const groupResidentBytes = async (group: number): Promise<number> => {
  if (groupMemorySource === undefined) return 0;
  if (groupMemorySource === 'ps') {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=', '-o', 'rss=']);
    const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/).map(Number));
    return rows.reduce((sum, [pgid, kilobytes = 0]) => (pgid === group ? sum + kilobytes * 1024 : sum), 0);
  }
  let bytes = 0;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readProcessFile(pid, 'stat');
    if (stat !== undefined && groupOf(stat) === group) bytes += await residentBytes(Number(pid));
  }
  return bytes;
};
