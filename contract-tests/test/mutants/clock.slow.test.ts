import { MemoryClock } from '@palimpsest/memory';
import { describeClock } from '../../src/index.ts';
import { describeMutants } from './mutant.ts';

describeMutants('Clock', describeClock, () => new MemoryClock(), {
  'gives milliseconds': (sound) => ({ now: () => sound.now() / 1000 }),
  'gives fractions of a microsecond': (sound) => ({ now: () => sound.now() + 0.5 }),
  'counts from the start of the process': () => ({ now: () => Math.floor(performance.now() * 1000) }),
  'goes back when the system time is set back': (sound) => {
    let calls = 0;
    return { now: () => sound.now() - (calls++ % 2) * 5_000_000 };
  },
});
