import { expect } from 'chai';
import { expectCaught } from '../src/expect-caught.ts';
import { pageImageEncoderMutants, plainPageImageEncoder } from '../src/mutants/page-image-encoder-mutants.ts';
import { describePageImageEncoder } from '../src/page-image-encoder/contract.ts';

describePageImageEncoder('What the mutants are made of', plainPageImageEncoder);

describe('the contract of PageImageEncoder', () => {
  for (const [flaw, open] of Object.entries(pageImageEncoderMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describePageImageEncoder('Mutant', open), { bail: true, timeoutMs: 20_000 })).to
        .not.be.empty;
    });
  }
});
