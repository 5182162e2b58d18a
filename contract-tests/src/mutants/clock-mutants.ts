import type { Clock } from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';

const opening =
  (now: () => number): Open<Clock> =>
  async () => ({ subject: { now }, close: async () => {} });

const START = 1_795_253_412_345_678;

const ticking = (tick: (count: number) => number): Open<Clock> => {
  let count = 0;
  return opening(() => tick(count++));
};

/** The clock that the mutants are made of passes the suite. */
export const plainClock = ticking((count) => START + count);

/** Broken clocks, by what is wrong with them. */
export const clockMutants: Readonly<Record<string, Open<Clock>>> = {
  'goes backwards': ticking((count) => START - count),
  'goes back once': ticking((count) => START + count - (count > 20_000 ? 10 : 0)),
  trembles: ticking((count) => START + (count ^ 1)),
  'tells milliseconds': ticking((count) => Math.floor(START / 1000) + count),
  'tells seconds': ticking((count) => Math.floor(START / 1_000_000) + count),
  'tells nanoseconds': ticking((count) => (START + count) * 1000),
  'tells fractions': ticking((count) => START + count + 0.25),
  'tells no time': opening(() => Number.NaN),
  'begins with its process': ticking((count) => count),
};
