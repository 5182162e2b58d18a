import { plusMs } from '@palimpsest/core';
import { expect } from 'chai';
import { openForEach, type Open } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import type { TimedRateCounters } from './timed-rate-counters.ts';

const HOUR_MS = 3_600_000;

/** Tests `RateCounters` with thousands of windows: call it from a slow test. */
export const describeLongRateCounters = (name: string, open: Open<TimedRateCounters>): void =>
  describeWithTimeout(`${name}, a RateCounters, with many windows`, 300_000, () => {
    const opened = openForEach(open);

    it('keeps an open window while 3,000 other windows are opened and end', async () => {
      const { counters, advance, now } = opened().subject;
      const endsAt = plusMs(now(), HOUR_MS);
      await counters.hit('key', HOUR_MS);
      for (let i = 0; i < 3_000; i++) await counters.hit(`other ${i}`, 1_000);
      await advance(1_000);
      for (let i = 0; i < 3_000; i++) expect(await counters.hit(`other ${i}`, 1_000)).to.have.property('count', 1);
      expect(await counters.hit('key', HOUR_MS)).to.deep.equal({ count: 2, endsAt });
    });
  });
