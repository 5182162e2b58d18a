import { setImmediate as nextTurn } from 'node:timers/promises';

/** The work that is measured. One call is one unit of work. */
export type Work = () => Promise<unknown>;

/** The costs of one call of two kinds of work, as medians over all rounds, and their ratio. */
export interface Ratio {
  readonly ratio: number; // subject to reference
  readonly subjectMicros: number; // CPU time of all threads
  readonly referenceMicros: number;
}

/** The effort of a measurement. */
export interface RatioOptions {
  readonly rounds?: number; // odd, so that there is a median
  /** The minimum CPU time of a round. */
  readonly roundMs?: number;
  /** Returns the CPU time in microseconds of the process that does the work. Default: this process. */
  readonly clock?: Clock;
}

type Clock = () => number;

const ownMicros: Clock = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** The cost of `calls` calls in microseconds. */
const costOf = async (work: Work, calls: number, clock = ownMicros): Promise<number> => {
  await nextTurn(); // lets signal handlers run
  const begun = clock();
  for (let call = 0; call < calls; call++) await work();
  return clock() - begun;
};

/** The number of calls that last at least `roundMs`. Doubling the number also warms up the code and its caches. */
const callsFor = async (work: Work, roundMs: number, clock: Clock): Promise<number> => {
  let calls = 1;
  while ((await costOf(work, calls, clock)) < roundMs * 1000) calls *= 2;
  return calls;
};

/** The median. Of an even number of values, the upper one. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * The CPU time of one warm call in microseconds: the median of `calls` calls. For work that is long enough to be measured
 * call by call.
 */
export const measureCost = async (work: Work, calls = 9, clock: Clock = ownMicros): Promise<number> => {
  await costOf(work, 3, clock);
  const costs: number[] = [];
  for (let call = 0; call < calls; call++) costs.push(await costOf(work, 1, clock));
  return median(costs);
};

const SECOND_MICROS = 1_000_000;

/** A cost as a ratio to one second of CPU time, for work with an absolute limit. */
export const toOneSecond = (micros: number): Ratio => ({
  ratio: micros / SECOND_MICROS,
  subjectMicros: micros,
  referenceMicros: SECOND_MICROS,
});

/**
 * Compares the costs of two kinds of work. Warms both up, then measures them alternately within one run, so that a slow
 * phase of the machine affects both. Measures CPU time, so that other processes matter little, and takes the median of
 * the rounds, so that a single disturbance does not matter.
 */
export const measureRatio = async (
  subject: Work,
  reference: Work,
  { rounds = 21, roundMs = 25, clock = ownMicros }: RatioOptions = {},
): Promise<Ratio> => {
  const both = [subject, reference].map((work) => ({ work, calls: 0, costs: new Array<number>() }));
  for (const one of both) one.calls = await callsFor(one.work, roundMs, clock);
  for (let round = 0; round < rounds; round++) {
    for (const one of round % 2 === 0 ? both : both.toReversed()) {
      one.costs.push((await costOf(one.work, one.calls, clock)) / one.calls);
    }
  }
  const [subjectMicros = Number.NaN, referenceMicros = Number.NaN] = both.map(({ costs }) => median(costs));
  return { ratio: subjectMicros / referenceMicros, subjectMicros, referenceMicros };
};
