import { expect } from 'chai';
import { describeClock } from '../src/clock/contract.ts';
import { expectCaught } from '../src/expect-caught.ts';
import { clockMutants, plainClock } from '../src/mutants/clock-mutants.ts';

describeClock('What the mutants are made of', plainClock);

describe('the contract of Clock', () => {
  for (const [flaw, open] of Object.entries(clockMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeClock('Mutant', open), { bail: true })).to.not.be.empty;
    });
  }
});
