import { describeLongWordDiff } from '@palimpsest/contract-tests';
import { MemoryWordDiff } from '../src/memory-word-diff.ts';

describeLongWordDiff('MemoryWordDiff', async () => ({ subject: new MemoryWordDiff(), close: async () => {} }));
