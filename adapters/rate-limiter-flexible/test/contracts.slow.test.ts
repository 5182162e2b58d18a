import { describeLongRateCounters } from '@palimpsest/contract-tests';
import { openMemoryRateCounters } from '@palimpsest/rate-limiter-flexible';
import { limiterFolder } from './limiter-folder.ts';
import { standClock } from './stood-clock.ts';

describeLongRateCounters('RateLimiterFlexibleCounters in memory', async () => {
  const { advance, now, reset } = standClock(['setTimeout']);
  return { subject: { counters: openMemoryRateCounters(), advance, now }, close: async () => reset() };
});

describeLongRateCounters('RateLimiterFlexibleCounters in an SQLite file', async () => {
  const folder = await limiterFolder();
  const { rateCounters } = await folder.open();
  const { advance, now, reset } = standClock();
  return {
    subject: { counters: rateCounters, advance, now },
    close: async () => {
      reset();
      await folder.remove();
    },
  };
});
