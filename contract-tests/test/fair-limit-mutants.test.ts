import type { FairLimit } from '@palimpsest/core';
import { MemoryFairLimit } from '@palimpsest/memory';
import { expect } from 'chai';
import { describeFairLimit } from '../src/fair-limit.contract.ts';
import { expectCaught, runInside } from '../src/expect-caught.ts';
import type { Open } from '../src/harness.ts';
import { fairLimitMutants, plainFairLimits } from '../src/mutants/fair-limit-mutants.ts';
import { mutant } from '../src/mutants/mutant.ts';

const open: Open<FairLimit> = async () => ({ subject: new MemoryFairLimit(3, 5), close: async () => {} });

describe('the contract of FairLimit', () => {
  it('passes a sound adapter, and what the mutants are made of', async () => {
    for (const wrapped of [mutant<FairLimit>(() => () => ({}))(open), plainFairLimits(open)]) {
      const run = await runInside(() => describeFairLimit('Sound', wrapped));
      expect(run.errors).to.deep.equal([]);
      expect(run.passed).to.not.be.empty;
    }
  });

  for (const [flaw, make] of Object.entries(fairLimitMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeFairLimit('Mutant', make(open)), { bail: true, timeoutMs: 1_000 })).to.not
        .be.empty;
    });
  }
});
