import { MemoryClock, MemoryRateCounters, MemoryStore } from '@palimpsest/memory';
import { expect } from 'chai';
import { NO_CONNECTION } from '../src/kit/faults.ts';
import { expectCaught, runInside } from '../src/expect-caught.ts';
import type { Open, Without } from '../src/kit/harness.ts';
import { mutant } from '../src/mutants/mutant.ts';
import { rateCountersMutants, soundRateCounters } from '../src/mutants/rate-counters-mutants.ts';
import { describeRateCounters, type TimedRateCounters } from '../src/rate-counters/contract.ts';

const open: Open<TimedRateCounters> = async () => {
  const store = new MemoryStore();
  const clock = new MemoryClock();
  const handle = (): TimedRateCounters => ({
    counters: new MemoryRateCounters(store, clock),
    advance: (ms) => clock.advance(ms),
    now: () => clock.now(),
  });
  return { subject: handle(), openSecond: async () => handle(), close: async () => {} };
};

const without: Without = { reopen: 'memory ends with its process', faults: NO_CONNECTION };

describe('the contract of RateCounters', () => {
  const sound = {
    'a sound adapter': mutant<TimedRateCounters>(() => () => ({})),
    'what the mutants are made of': soundRateCounters,
  };
  for (const [what, make] of Object.entries(sound)) {
    it(`passes ${what}`, async () => {
      const run = await runInside(() => describeRateCounters('Sound', make(open), without), { timeoutMs: 20_000 });
      expect(run.errors).to.deep.equal([]);
      expect(run.passed).to.not.be.empty;
    });
  }

  for (const [flaw, make] of Object.entries(rateCountersMutants)) {
    it(`catches one that ${flaw}`, async () => {
      expect(await expectCaught(() => describeRateCounters('Mutant', make(open), without), { bail: true })).to.not.be
        .empty;
    });
  }
});
