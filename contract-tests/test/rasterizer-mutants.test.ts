import { expect } from 'chai';
import { expectCaught } from '../src/expect-caught.ts';
import { rasterizerMutants, plainRasterizer } from '../src/mutants/rasterizer-mutants.ts';
import { describeRasterizer } from '../src/rasterizer/contract.ts';

describeRasterizer('What the mutants are made of', plainRasterizer, ['application/pdf']);

describe('the contract of Rasterizer', () => {
  for (const [flaw, open] of Object.entries(rasterizerMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(
        await expectCaught(() => describeRasterizer('Mutant', open, ['application/pdf']), {
          bail: true,
          timeoutMs: 20_000,
        }),
      ).to.not.be.empty;
    });
  }
});
