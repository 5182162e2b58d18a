import { expect } from 'chai';
import { describePasswordHasher } from '../src/password-hasher/contract.ts';
import { expectCaught } from '../src/expect-caught.ts';
import { passwordHasherMutants, plainPasswordHasher } from '../src/mutants/password-hasher-mutants.ts';

describePasswordHasher('What the mutants are made of', plainPasswordHasher);

describe('the contract of PasswordHasher', () => {
  for (const [flaw, open] of Object.entries(passwordHasherMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describePasswordHasher('Mutant', open), { bail: true })).to.not.be.empty;
    });
  }
});
