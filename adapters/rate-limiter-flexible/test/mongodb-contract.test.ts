import { describeRateCounters } from '@palimpsest/contract-tests';
import { openMongoRateCounters } from '@palimpsest/rate-limiter-flexible';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { standClock } from './stood-clock.ts';

await describeOnMongo('RateCounters on MongoDB', (server) => {
  describe('by a clock that stands', function () {
    this.timeout(120_000);
    const database = databaseForSuite(server);

    describeRateCounters('RateLimiterFlexibleCounters in a MongoDB database', async () => {
      const handles = database();
      // A server that is busy for long has not failed.
      const openOnce = async () =>
        (await openMongoRateCounters({ client: (await handles.open()).limiterClient, waitMs: 30_000, restMs: 100 }))
          .rateCounters;
      const counters = await openOnce();
      // The timers run: the driver needs them.
      const clock = standClock();
      const timed = (given: typeof counters) => ({ counters: given, advance: clock.advance, now: clock.now });
      return {
        subject: timed(counters),
        openSecond: async () => timed(await openOnce()),
        reopen: async () => {
          await handles.closeAll();
          return timed(await openOnce());
        },
        faults: handles.faults,
        close: async () => {
          clock.reset();
          await handles.closeAll();
        },
      };
    });
  });
});
