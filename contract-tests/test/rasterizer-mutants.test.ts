import { expect } from 'chai';
import { expectCaught } from '../src/expect-caught.ts';
import { rasterizerMutants, plainRasterizer } from '../src/mutants/rasterizer-mutants.ts';
import { describePdfRasterizer } from '../src/rasterizer/contract.ts';

describePdfRasterizer('What the mutants are made of', plainRasterizer);

describe('the contract of Rasterizer', () => {
  for (const [flaw, open] of Object.entries(rasterizerMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(
        await expectCaught(() => describePdfRasterizer('Mutant', open), {
          bail: true,
          timeoutMs: 20_000,
        }),
      ).to.not.be.empty;
    });
  }
});
