import { describeRateCounters } from '@palimpsest/contract-tests';
import { openMongoRateCounters } from '@palimpsest/rate-limiter-flexible';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { STOPPED_AT_MS } from './stopped-at.ts';
import { stopClock } from '../../../test/stopped-clock.ts';
import { wallClock } from './wall-clock.ts';

await describeOnMongo('MongoRateCounters', (server) => {
  describe('with a stopped clock', function () {
    this.timeout(120_000);
    const database = databaseForSuite(server);

    describeRateCounters('MongoRateCounters', async () => {
      const open = async () => {
        const { limiterClient } = await database().open();
        // A busy server is slow, but it has not failed.
        return (
          await openMongoRateCounters({ client: limiterClient, clock: wallClock, timeoutMs: 30_000, openMs: 100 })
        ).rateCounters;
      };
      const counters = await open();
      const clock = stopClock({ nowMs: STOPPED_AT_MS }); // the timers run, because the driver needs them
      const timed = (given: typeof counters) => ({ counters: given, advance: clock.advance, now: clock.now });
      return {
        subject: timed(counters),
        openSecond: async () => timed(await open()),
        reopen: async () => {
          await database().closeAll();
          return timed(await open());
        },
        faults: database().faults,
        close: async () => {
          clock.restore();
          await database().closeAll();
        },
      };
    });
  });
});
