import { expect } from 'chai';
import { expectCaught } from '../src/expect-caught.ts';
import { ocrEngineMutants, plainOcrEngine } from '../src/mutants/ocr-engine-mutants.ts';
import { describeOcrEngine } from '../src/ocr-engine/contract.ts';

describeOcrEngine('What the mutants are made of', plainOcrEngine);

describe('the contract of OcrEngine', () => {
  for (const [flaw, open] of Object.entries(ocrEngineMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeOcrEngine('Mutant', open), { bail: true, timeoutMs: 20_000 })).to.not.be
        .empty;
    });
  }
});
