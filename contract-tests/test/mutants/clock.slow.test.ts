import { MemoryClock } from '@palimpsest/memory';
import { describeClock } from '../../src/index.ts';
import { describeMutants } from './mutant.ts';

describeMutants('Clock', describeClock, () => new MemoryClock(), {
  'returns milliseconds': (original) => ({ now: () => original.now() / 1000 }),
  'returns fractions of a microsecond': (original) => ({ now: () => original.now() + 0.5 }),
  'counts from the start of the process': () => ({ now: () => Math.floor(performance.now() * 1000) }),
  'returns an earlier time after the system time is set back': (original) => {
    let calls = 0;
    return { now: () => original.now() - (calls++ % 2) * 5_000_000 };
  },
});
