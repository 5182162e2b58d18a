import { describeFairLimit } from '@palimpsest/contract-tests';
import { ProcessFairLimit } from '../src/fair-limit.ts';

describeFairLimit('ProcessFairLimit', async () => ({ subject: new ProcessFairLimit(3, 5), close: async () => {} }));
