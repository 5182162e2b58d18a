import { describeWordDiff } from '@palimpsest/contract-tests';
import { JsdiffWordDiff } from '../src/jsdiff-word-diff.ts';

describeWordDiff('JsdiffWordDiff', async () => ({ subject: new JsdiffWordDiff(), close: async () => {} }));
