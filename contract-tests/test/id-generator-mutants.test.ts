import { expect } from 'chai';
import { describeIdGenerator } from '../src/id-generator/contract.ts';
import { expectCaught } from '../src/expect-caught.ts';
import { idGeneratorMutants, plainIdGenerator } from '../src/mutants/id-generator-mutants.ts';

describeIdGenerator('What the mutants are made of', plainIdGenerator);

describe('the contract of IdGenerator', () => {
  for (const [flaw, open] of Object.entries(idGeneratorMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeIdGenerator('Mutant', open), { bail: true })).to.not.be.empty;
    });
  }
});
