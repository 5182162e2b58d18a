import { setImmediate as turn } from 'node:timers/promises';

/** Something that is measured: one call of it is one piece of work. */
export type Work = () => Promise<unknown>;

/** What one call costs, as the median over all rounds, and how the two compare. */
export interface Ratio {
  readonly ratio: number; // of the subject's cost to the reference's
  readonly subjectMicros: number; // of the processor, all threads together
  readonly referenceMicros: number;
}

/** How thoroughly is measured. */
export interface RatioOptions {
  readonly rounds?: number; // odd, so that there is a middle one
  /** How long a round is at least; the clock of the processor is read twice in each. */
  readonly roundMs?: number;
  /** The processor's time so far, in microseconds, of whoever does the work. Without it, that of this process. */
  readonly clock?: Clock;
}

type Clock = () => number;

const ownMicros: Clock = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** What `calls` calls cost, in microseconds. */
const costOf = async (work: Work, calls: number, clock = ownMicros): Promise<number> => {
  await turn(); // for whoever wants to stop this
  const begun = clock();
  for (let call = 0; call < calls; call++) await work();
  return clock() - begun;
};

/** How many calls last for so long: found by doubling, which warms the code and its caches up as well. */
const callsFor = async (work: Work, roundMs: number, clock: Clock): Promise<number> => {
  let calls = 1;
  while ((await costOf(work, calls, clock)) < roundMs * 1000) calls *= 2;
  return calls;
};

/** The one in the middle; of an even number the upper one. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * What one call costs once it is warm, in microseconds of the processor, all threads of the process together: the median
 * of so many calls. For work that is long enough to be measured call by call.
 */
export const measureCost = async (work: Work, calls = 9): Promise<number> => {
  await costOf(work, 3);
  const costs: number[] = [];
  for (let call = 0; call < calls; call++) costs.push(await costOf(work, 1));
  return median(costs);
};

const SECOND_MICROS = 1_000_000;

/** A cost as a ratio to one second of the processor, for what has to stay below a time and not below something else. */
export const toOneSecond = (micros: number): Ratio => ({
  ratio: micros / SECOND_MICROS,
  subjectMicros: micros,
  referenceMicros: SECOND_MICROS,
});

/**
 * Compares what two pieces of work cost. Both are warmed up, then measured in turn within one run, the one first in every
 * other round, so that what slows the machine down for a while slows both down. Counted is the time of the processor,
 * so other processes matter little, and of the rounds the median, so a single disturbance does not.
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
