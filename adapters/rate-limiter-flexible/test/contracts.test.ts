import { NO_CONNECTION, describeRateCounters, type TimedRateCounters } from '@palimpsest/contract-tests';
import type { RateCounters } from '@palimpsest/core';
import { MemoryRateCounters } from '@palimpsest/rate-limiter-flexible';
import { limiterFolder } from './limiter-folder.ts';
import { stopClock, type StoppedClock } from './stopped-clock.ts';

const timed = (counters: RateCounters, { advance, now }: StoppedClock): TimedRateCounters => ({
  counters,
  advance,
  now,
});

describeRateCounters(
  'MemoryRateCounters',
  async () => {
    const clock = stopClock(['setTimeout']);
    return { subject: timed(new MemoryRateCounters(), clock), close: async () => clock.restore() };
  },
  {
    openSecond: 'each process counts in its own memory',
    reopen: 'memory ends with its process',
    faults: NO_CONNECTION,
  },
);

const openInFile = async () => {
  const folder = await limiterFolder();
  const { rateCounters } = await folder.open();
  const clock = stopClock();
  const openSecond = async () => timed((await folder.open()).rateCounters, clock);
  return {
    subject: timed(rateCounters, clock),
    openSecond,
    reopen: () => {
      folder.closeAll();
      return openSecond();
    },
    close: async () => {
      clock.restore();
      await folder.remove();
    },
  };
};

describeRateCounters('SqliteRateCounters', openInFile, { faults: NO_CONNECTION });
