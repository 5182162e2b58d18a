import { expect } from 'chai';
import { expectCaught } from '../src/expect-caught.ts';
import { imagePreparerMutants, plainImagePreparer } from '../src/mutants/image-preparer-mutants.ts';
import { describeImagePreparer } from '../src/image-preparer/contract.ts';

describeImagePreparer('What the mutants are made of', plainImagePreparer);

describe('the contract of ImagePreparer', () => {
  for (const [flaw, open] of Object.entries(imagePreparerMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeImagePreparer('Mutant', open), { bail: true, timeoutMs: 20_000 })).to.not
        .be.empty;
    });
  }
});
