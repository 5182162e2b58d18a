import type { Clock } from '@palimpsest/core';
import { describeClock } from '../../src/index.ts';
import { describeMutants } from './mutant.ts';

// The clock in memory stands still and cannot replace a real one here.
const openClock = (): Clock => {
  let last = 0;
  return { now: () => (last = Math.max(last, Date.now() * 1000)) };
};

describeMutants('Clock', describeClock, openClock, {
  'gives milliseconds': (sound) => ({ now: () => sound.now() / 1000 }),
  'gives fractions of a microsecond': (sound) => ({ now: () => sound.now() + 0.5 }),
  'counts from the start of the process': () => ({ now: () => Math.floor(performance.now() * 1000) }),
  'goes back when the system time is set back': (sound) => {
    let calls = 0;
    return { now: () => sound.now() - (calls++ % 2) * 5_000_000 };
  },
});
