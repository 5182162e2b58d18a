import { expect } from 'chai';
import { describeChecksums } from '../src/checksums/contract.ts';
import { expectCaught } from '../src/expect-caught.ts';
import { checksumsMutants, plainChecksums } from '../src/mutants/checksums-mutants.ts';

describeChecksums('What the mutants are made of', plainChecksums);

describe('the contract of Checksums', () => {
  for (const [flaw, open] of Object.entries(checksumsMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeChecksums('Mutant', open), { bail: true })).to.not.be.empty;
    });
  }
});
