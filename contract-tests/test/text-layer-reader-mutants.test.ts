import { expect } from 'chai';
import { expectCaught } from '../src/expect-caught.ts';
import { textLayerReaderMutants, plainTextLayerReader } from '../src/mutants/text-layer-reader-mutants.ts';
import { describeTextLayerReader } from '../src/text-layer-reader/contract.ts';

describeTextLayerReader('What the mutants are made of', plainTextLayerReader);

describe('the contract of TextLayerReader', () => {
  for (const [flaw, open] of Object.entries(textLayerReaderMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeTextLayerReader('Mutant', open), { bail: true, timeoutMs: 20_000 })).to
        .not.be.empty;
    });
  }
});
