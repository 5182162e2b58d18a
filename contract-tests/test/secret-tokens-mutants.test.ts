import { expect } from 'chai';
import { describeSecretTokens } from '../src/secret-tokens/contract.ts';
import { describeDerivedSecrets } from '../src/secret-tokens/derived.ts';
import { expectCaught } from '../src/expect-caught.ts';
import { derivedSecretMutants, plainSecretTokens } from '../src/mutants/derived-secret-mutants.ts';
import { secretTokensMutants } from '../src/mutants/secret-tokens-mutants.ts';

describeSecretTokens('What the mutants are made of', plainSecretTokens);

describe('the contract of SecretTokens', () => {
  for (const [flaw, open] of Object.entries(secretTokensMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeSecretTokens('Mutant', open), { bail: true })).to.not.be.empty;
    });
  }

  // The part of the suite that is about them, as the rest takes its time.
  for (const [flaw, open] of Object.entries(derivedSecretMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeDerivedSecrets('Mutant', open, {}), { bail: true })).to.not.be.empty;
    });
  }
});
