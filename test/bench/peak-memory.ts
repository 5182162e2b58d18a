import { readFile, writeFile } from 'node:fs/promises';

// Only Linux has a resettable peak of resident memory (proc(5): /proc/pid/clear_refs and VmHWM).
const RESET_PEAK = '5';

/** Resets the peak memory of a process. */
const resetPeak = (pid: number | 'self'): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, RESET_PEAK);

/** The reason why peaks cannot be measured on this machine, if there is one. */
export const whyNoPeaks = async (): Promise<string | undefined> => {
  try {
    await resetPeak('self');
    return undefined;
  } catch (error) {
    return `/proc cannot measure peak memory here (${(error as Error).message})`;
  }
};

/** The peak resident memory of a process in bytes while `task` ran. It includes short peaks. */
export const peakDuring = async (pid: number, task: () => Promise<unknown>): Promise<number> => {
  await resetPeak(pid);
  await task();
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no peak`);
  return Number(kibibytes) * 1024;
};
