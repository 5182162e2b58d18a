import { describeWordDiff } from '@palimpsest/contract-tests';
import { MemoryWordDiff } from '../src/memory-word-diff.ts';

describeWordDiff('MemoryWordDiff', async () => ({ subject: new MemoryWordDiff(), close: async () => {} }));
