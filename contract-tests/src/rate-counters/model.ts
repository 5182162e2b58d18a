import { type OperationModel, operation } from '../kit/cross-check.ts';
import type { Random } from '../kit/random.ts';
import { strangeTexts } from '../kit/samples.ts';
import type { TimedRateCounters } from './timed-rate-counters.ts';

const KEYS = ['a', 'A', 'a ', '__proto__', '\0', ...strangeTexts.slice(0, 4)];

/** Random operations on rate counters and their clock. */
export const rateCountersModel: OperationModel<TimedRateCounters> = () => {
  const key = (random: Random): string => random.pick(KEYS);
  return {
    hit: operation(
      (random) => ({ key: key(random), windowMs: random.pick([1, 10, 100, 1000, 60_000]) }),
      async ({ counters, now }, { key: name, windowMs }) => {
        const { count, endsAt } = await counters.hit(name, windowMs);
        return { count, endsIn: endsAt - now() };
      },
      6,
    ),
    'hit three times at once': operation(key, async ({ counters }, name) => {
      const windows = await Promise.all([1, 2, 3].map(() => counters.hit(name, 1000)));
      return windows.map(({ count }) => count).toSorted((a, b) => a - b);
    }),
    peek: operation(
      key,
      async ({ counters, now }, name) => {
        const window = await counters.peek(name);
        return window && { count: window.count, endsIn: window.endsAt - now() };
      },
      3,
    ),
    decrement: operation(key, ({ counters }, name) => counters.decrement(name), 2),
    clear: operation(key, ({ counters }, name) => counters.clear(name)),
    'advance the clock': operation(
      (random) => random.pick([1, 5, 50, 500, 10_000]),
      async ({ advance }, ms) => advance(ms),
      2,
    ),
  };
};
