import { readdirSync, readFileSync } from 'node:fs';

const TICK_MICROS = 10_000; // proc(5): a clock tick is 10 ms
const FIRST_FIELD = 3; // the number of the first field behind the name in proc(5)

interface ProcessTime {
  readonly parent: number;
  readonly ticks: number; // of the process and its exited children
}

/** Parses the statistics of a process. Returns `undefined` if it has exited. Fields follow the last bracket, because the name may contain brackets. */
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

/** The reason why the CPU time of other processes cannot be measured, if there is one. */
export const whyNoProcessTimes = (): string | undefined =>
  timeOf(process.pid) === undefined ? 'there is no /proc here' : undefined;

/** The CPU time of a process and all its descendants in microseconds, with a resolution of 10 ms. */
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
