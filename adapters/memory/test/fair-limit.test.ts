import { describeFairLimit } from '@palimpsest/contract-tests';
import { MemoryFairLimit } from '@palimpsest/memory';

describeFairLimit('MemoryFairLimit', async () => ({ subject: new MemoryFairLimit(3, 5), close: async () => {} }));
