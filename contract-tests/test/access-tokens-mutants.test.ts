import { expect } from 'chai';
import { describeAccessTokens } from '../src/access-tokens/contract.ts';
import { expectCaught } from '../src/expect-caught.ts';
import { accessTokensMutants, plainAccessTokens } from '../src/mutants/access-tokens-mutants.ts';

describeAccessTokens('What the mutants are made of', plainAccessTokens);

describe('the contract of AccessTokens', () => {
  for (const [flaw, open] of Object.entries(accessTokensMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeAccessTokens('Mutant', open), { bail: true })).to.not.be.empty;
    });
  }
});
