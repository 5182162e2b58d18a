import { readFile, writeFile } from 'node:fs/promises';

// Linux alone keeps the peak of a process in a way that can be set back (proc(5), /proc/pid/clear_refs and VmHWM).
const SET_BACK = '5';

/** From now on counts what a process holds at most. */
const setBack = (pid: number | 'self'): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, SET_BACK);

/** Why peaks cannot be measured here, if they cannot. */
export const whyNoPeaks = async (): Promise<string | undefined> => {
  try {
    await setBack('self');
    return undefined;
  } catch (error) {
    return `/proc does not tell peaks of memory here (${(error as Error).message})`;
  }
};

/** The most memory, in bytes, that a process had resident while `task` ran. Nothing that is short is missed. */
export const peakDuring = async (pid: number, task: () => Promise<unknown>): Promise<number> => {
  await setBack(pid);
  await task();
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no peak`);
  return Number(kibibytes) * 1024;
};
