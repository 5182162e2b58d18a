import { MemoryClock } from '@palimpsest/memory';
import { expect } from 'chai';
import { expectCaught } from '../src/expect-caught.ts';
import type { Open } from '../src/kit/harness.ts';
import { timerMutants } from '../src/mutants/timer-mutants.ts';
import { describeTimer, type TimedTimer } from '../src/timer/contract.ts';

const open: Open<TimedTimer> = async () => {
  const timer = new MemoryClock();
  const subject = { timer, elapse: (ms: number) => timer.advance(ms), elapsedMs: () => timer.now() / 1000 };
  return { subject, close: async () => {} };
};

describe('the contract of Timer', () => {
  for (const [flaw, mutate] of Object.entries(timerMutants)) {
    it(`fails for a timer that ${flaw}`, async () => {
      const suite = (): void => describeTimer('Mutant', mutate(open));
      expect(await expectCaught(suite, { bail: true, timeoutMs: 100 })).to.not.be.empty;
    });
  }
});
