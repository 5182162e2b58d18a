import { MemoryWordDiff } from '@palimpsest/memory';
import type { WordDiff } from '@palimpsest/core';
import { expect } from 'chai';
import { expectCaught, runInside } from '../src/expect-caught.ts';
import type { Open } from '../src/kit/harness.ts';
import { mutant } from '../src/mutants/mutant.ts';
import { wordDiffMutants } from '../src/mutants/word-diff-mutants.ts';
import { describeWordDiff } from '../src/word-diff/contract.ts';

const open: Open<WordDiff> = async () => ({ subject: new MemoryWordDiff(), close: async () => {} });

describe('the contract of WordDiff', function () {
  // A mutant is caught by what it answers; one that is broken for long texts only comes past tests that take seconds.
  this.timeout(60_000);

  it('passes a sound adapter', async () => {
    const wrapped = mutant<WordDiff>(() => () => ({}))(open);
    const run = await runInside(() => describeWordDiff('Sound', wrapped), { timeoutMs: 30_000 });
    expect(run.errors).to.deep.equal([]);
    expect(run.passed).to.not.be.empty;
  });

  for (const [flaw, make] of Object.entries(wordDiffMutants)) {
    it(`catches one that ${flaw}`, async () => {
      const timeoutMs = flaw.startsWith('never answers') ? 5_000 : 30_000;
      expect(await expectCaught(() => describeWordDiff('Mutant', make(open)), { bail: true, timeoutMs })).to.not.be
        .empty;
    });
  }
});
