import { describeLongWordDiff } from '@palimpsest/contract-tests';
import { JsdiffWordDiff } from '../src/jsdiff-word-diff.ts';

describeLongWordDiff('JsdiffWordDiff', async () => ({ subject: new JsdiffWordDiff(), close: async () => {} }));
