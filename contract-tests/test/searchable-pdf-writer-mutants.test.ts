import { expect } from 'chai';
import { expectCaught } from '../src/expect-caught.ts';
import { plainSearchablePdfWriter, searchablePdfWriterMutants } from '../src/mutants/searchable-pdf-writer-mutants.ts';
import { describeSearchablePdfWriter } from '../src/searchable-pdf-writer/contract.ts';

describeSearchablePdfWriter('What the mutants are made of', plainSearchablePdfWriter);

describe('the contract of SearchablePdfWriter', () => {
  for (const [flaw, open] of Object.entries(searchablePdfWriterMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeSearchablePdfWriter('Mutant', open), { bail: true, timeoutMs: 20_000 }))
        .to.not.be.empty;
    });
  }
});
