import type { RateCounters } from '@palimpsest/core';
import { openMemoryRateCounters, openMongoRateCounters } from '@palimpsest/rate-limiter-flexible';
import { expect } from 'chai';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { limiterFolder } from './limiter-folder.ts';
import { standClock, STOOD_AT_MS, type StoodClock } from './stood-clock.ts';

const HOUR_MS = 3_600_000;

const describeLengths = (
  where: string,
  open: () => Promise<{ counters: RateCounters; close: () => Promise<void> }>,
  timers: Parameters<typeof standClock>[0] = ['setTimeout'],
): void =>
  void describe(`Windows of rate counters in ${where}`, () => {
    let counters: RateCounters;
    let close: () => Promise<void>;
    let clock: StoodClock;

    beforeEach(async () => {
      ({ counters, close } = await open());
      clock = standClock(timers);
    });
    afterEach(async () => {
      clock.reset();
      await close();
    });

    it('never have a length that would keep them open for ever', async () => {
      for (const windowMs of [0, -1, 0.5, Number.NaN, Infinity, 25 * HOUR_MS + 1]) {
        expect(await counters.hit('key', windowMs).catch((error: unknown) => error), String(windowMs)).to.be.instanceOf(
          TypeError,
        );
      }
      expect(await counters.peek('key')).to.equal(undefined);
    });

    it('end at the moment that was told when the clock goes back or on', async () => {
      const window = await counters.hit('key', HOUR_MS);
      clock.set(STOOD_AT_MS - 2 * HOUR_MS);
      expect(await counters.peek('key')).to.deep.equal(window);
      expect(await counters.hit('key', 1)).to.deep.equal({ ...window, count: 2 });
      await counters.takeBack('key');
      expect(await counters.peek('key')).to.deep.equal(window);
      clock.set(STOOD_AT_MS + 2 * HOUR_MS);
      expect(await counters.peek('key')).to.equal(undefined);
      await counters.takeBack('key');
      expect(await counters.hit('key', HOUR_MS)).to.deep.equal({ count: 1, endsAt: clock.now() + HOUR_MS * 1000 });
    });

    it('end when they were told to, by the clock that runs', async () => {
      clock.reset();
      for (let i = 0; i < 200; i++) {
        const before = Date.now();
        const window = await counters.hit(`key ${i}`, HOUR_MS + i);
        const after = Date.now();
        // The end is told from two readings of a clock of whole milliseconds, which may tick in between.
        expect(window.endsAt).to.be.within((before + HOUR_MS + i - 1) * 1000, (after + HOUR_MS + i) * 1000);
        const [seen, again] = [await counters.peek(`key ${i}`), await counters.hit(`key ${i}`, HOUR_MS)];
        expect([seen?.count, again.count]).to.deep.equal([1, 2]);
        for (const { endsAt = 0 } of [seen ?? {}, again])
          expect(endsAt).to.be.within(window.endsAt - 1000, window.endsAt + 1000);
      }
    });
  });

describeLengths('memory', async () => ({ counters: openMemoryRateCounters(), close: async () => {} }));

describeLengths('an SQLite file', async () => {
  const folder = await limiterFolder();
  return { counters: (await folder.open()).rateCounters, close: () => folder.remove() };
});

await describeOnMongo('Windows of rate counters', (server) => {
  const database = databaseForSuite(server);

  // The timers run: the driver needs them.
  describeLengths(
    'a MongoDB database',
    async () => {
      const { limiterClient } = await database().open();
      return {
        counters: (await openMongoRateCounters({ client: limiterClient })).rateCounters,
        close: () => database().closeAll(),
      };
    },
    [],
  );
});
