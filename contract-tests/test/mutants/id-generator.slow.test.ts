import { SequentialIds } from '@palimpsest/memory';
import { describeIdGenerator } from '../../src/index.ts';
import { describeMutants } from './mutant.ts';

describeMutants('IdGenerator', describeIdGenerator, () => new SequentialIds(), {
  'makes random UUIDs of version 4': () => ({ next: () => crypto.randomUUID() }),
  'makes ids in random order within a millisecond': () => ({
    next: () => `01941f29-7c00-7000-8000-${crypto.randomUUID().slice(-12)}`,
  }),
  'starts its counter again after 4,096 ids': (sound) => {
    let count = 0;
    return { next: () => sound.next().slice(0, -12) + (count++ % 4096).toString(16).padStart(12, '0') };
  },
  'makes uppercase ids': (sound) => ({ next: () => sound.next().toUpperCase() }),
  'makes ids of the wrong variant': (sound) => ({ next: () => sound.next().replace('-8000-', '-c000-') }),
});
