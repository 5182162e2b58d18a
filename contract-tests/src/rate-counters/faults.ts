import { plusMs } from '@palimpsest/core';
import { expect } from 'chai';
import { eventually } from '../kit/expectations.ts';
import type { Faults } from '../kit/faults.ts';
import { describeWithFaults, type Opened, type Without } from '../kit/harness.ts';
import type { TimedRateCounters } from './timed-rate-counters.ts';
import { describeWithTimeout } from '../kit/runner.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SLOW_MS = 150;

const faultsByName: Readonly<Record<string, (faults: Faults) => Promise<void>>> = {
  'its idle connection breaks': (faults) => faults.dropConnections(),
  'a request fails': (faults) => faults.failNext(1),
  'an answer is lost': (faults) => faults.loseAnswers(1),
  'the backend is unreachable': async (faults) => {
    await faults.failNext(Infinity);
    await faults.dropConnections();
  },
};

/** Tests that counters never throw when their backend is unreachable, and count in their own process until it is back. */
export const describeRateCountersFaults = (opened: () => Opened<TimedRateCounters>, without: Without): void =>
  describeWithFaults(opened, without, (faults) => {
    describeWithTimeout('counters', 120_000, () => {
      for (const [fault, begin] of Object.entries(faultsByName)) {
        it(`count without an error when ${fault}`, async () => {
          const { counters, now, advance } = opened().subject;
          await counters.hit('before', HOUR_MS);
          await begin(faults());
          const windows = [];
          for (let i = 0; i < 5; i++) windows.push(await counters.hit('key', MINUTE_MS));
          for (const [i, { count, endsAt }] of windows.entries()) {
            expect(count, 'a hit may be counted twice').to.be.within(1, i + 2);
            expect(endsAt).to.equal(plusMs(now(), MINUTE_MS));
          }
          expect(windows.at(-1)?.count, 'counted hits').to.be.at.least(3);
          await counters.peek('key');
          await counters.decrement('key');
          await counters.clear('key');
          await faults().restore();
          await eventually('the backend is used again', async () => {
            await advance(100); // an adapter may wait before it tries its backend again
            return (await counters.peek('before'))?.count === 1;
          });
        });
      }

      it('count exactly over a slow connection', async () => {
        const { counters } = opened().subject;
        await faults().slow(SLOW_MS);
        const counts = await Promise.all([1, 2, 3].map(() => counters.hit('key', MINUTE_MS)));
        expect(counts.map(({ count }) => count).sort((a, b) => a - b)).to.deep.equal([1, 2, 3]);
        await faults().restore();
        expect((await counters.peek('key'))?.count).to.equal(3);
      });
    });
  });
