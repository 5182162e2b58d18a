import { NO_CONNECTION, describeRateCounters, type TimedRateCounters } from '@palimpsest/contract-tests';
import type { RateCounters } from '@palimpsest/core';
import { openMemoryRateCounters } from '@palimpsest/rate-limiter-flexible';
import { limiterFolder } from './limiter-folder.ts';
import { standClock, type StoodClock } from './stood-clock.ts';

const timed = (counters: RateCounters, { advance, now }: StoodClock): TimedRateCounters => ({ counters, advance, now });

describeRateCounters(
  'RateLimiterFlexibleCounters in memory',
  async () => {
    const clock = standClock(['setTimeout']);
    return { subject: timed(openMemoryRateCounters(), clock), close: async () => clock.reset() };
  },
  {
    openSecond: 'each process counts for itself in its memory',
    reopen: 'memory ends with its process',
    faults: NO_CONNECTION,
  },
);

const openInFile = async () => {
  const folder = await limiterFolder();
  const { rateCounters } = await folder.open();
  const clock = standClock();
  const openSecond = async () => timed((await folder.open()).rateCounters, clock);
  return {
    subject: timed(rateCounters, clock),
    openSecond,
    reopen: () => {
      folder.closeAll();
      return openSecond();
    },
    close: async () => {
      clock.reset();
      await folder.remove();
    },
  };
};

describeRateCounters('RateLimiterFlexibleCounters in an SQLite file', openInFile, { faults: NO_CONNECTION });
