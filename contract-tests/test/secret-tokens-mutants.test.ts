import { expect } from 'chai';
import { describeSecretTokens } from '../src/secret-tokens.contract.ts';
import { expectCaught } from '../src/harness.ts';
import { secretTokensMutants, plainSecretTokens } from '../src/mutants/secret-tokens-mutants.ts';

describeSecretTokens('What the mutants are made of', plainSecretTokens);

describe('the contract of SecretTokens', () => {
  for (const [flaw, open] of Object.entries(secretTokensMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeSecretTokens('Mutant', open), { bail: true })).to.not.be.empty;
    });
  }
});
