import { readdirSync, readFileSync } from 'node:fs';

const TICK_MICROS = 10_000; // proc(5): clock ticks are hundredths of a second for all programs
const FIRST_FIELD = 3; // as proc(5) numbers them: the first behind the name

interface ProcessTime {
  readonly parent: number;
  readonly ticks: number; // its own, and those of children that ended
}

/** `undefined` if the process has ended. The name in brackets may hold anything, so what counts follows the last bracket. */
const timeOf = (pid: number): ProcessTime | undefined => {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const field = (number: number): number => fields[number - FIRST_FIELD] ?? Number.NaN;
  return { parent: field(4), ticks: field(14) + field(15) + field(16) + field(17) };
};

/** Why the time of other processes cannot be measured here, if it cannot. */
export const whyNoProcessTimes = (): string | undefined =>
  timeOf(process.pid) === undefined ? 'there is no /proc here' : undefined;

/** The time of the processor, in microseconds and to a hundredth of a second, of a process and all that it started. */
export const treeMicros = (pid: number): number => {
  const times = new Map<number, ProcessTime>();
  for (const name of readdirSync('/proc')) {
    const time = /^\d+$/.test(name) ? timeOf(Number(name)) : undefined;
    if (time) times.set(Number(name), time);
  }
  const belongs = (candidate: number): boolean => {
    const parent = times.get(candidate)?.parent;
    return candidate === pid || (parent !== undefined && belongs(parent));
  };
  let ticks = 0;
  for (const [each, time] of times) if (belongs(each)) ticks += time.ticks;
  return ticks * TICK_MICROS;
};
