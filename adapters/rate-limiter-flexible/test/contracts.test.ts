import { NO_CONNECTION, describeRateCounters, type TimedRateCounters } from '@palimpsest/contract-tests';
import type { RateCounters } from '@palimpsest/core';
import { MemoryRateCounters } from '@palimpsest/rate-limiter-flexible';
import { limiterFolder } from './limiter-folder.ts';
import { STOPPED_AT_MS } from './stopped-at.ts';
import { wallClock } from './wall-clock.ts';
import { stopClock, type StoppedClock } from '../../../test/stopped-clock.ts';

const timed = (counters: RateCounters, { advance, now }: StoppedClock): TimedRateCounters => ({
  counters,
  advance,
  now,
});

describeRateCounters(
  'MemoryRateCounters',
  async () => {
    const clock = stopClock({ nowMs: STOPPED_AT_MS, timers: ['setTimeout'] });
    return { subject: timed(new MemoryRateCounters(wallClock), clock), close: async () => clock.restore() };
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
  const clock = stopClock({ nowMs: STOPPED_AT_MS });
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
