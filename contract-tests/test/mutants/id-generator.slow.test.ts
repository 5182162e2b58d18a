import { SequentialIds } from '@palimpsest/memory';
import { describeIdGenerator } from '../../src/index.ts';
import { describeMutants } from './mutant.ts';

describeMutants('IdGenerator', describeIdGenerator, () => new SequentialIds(), {
  'generates random UUIDs of version 4': () => ({ next: () => crypto.randomUUID() }),
  'generates ids in random order within a millisecond': () => ({
    next: () => `01941f29-7c00-7000-8000-${crypto.randomUUID().slice(-12)}`,
  }),
  'restarts its counter after 4,096 ids': (original) => {
    let count = 0;
    return { next: () => original.next().slice(0, -12) + (count++ % 4096).toString(16).padStart(12, '0') };
  },
  'generates uppercase ids': (original) => ({ next: () => original.next().toUpperCase() }),
  'generates ids of the wrong variant': (original) => ({ next: () => original.next().replace('-8000-', '-c000-') }),
});
