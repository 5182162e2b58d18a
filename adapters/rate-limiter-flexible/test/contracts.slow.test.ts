import { describeLongRateCounters } from '@palimpsest/contract-tests';
import { MemoryRateCounters } from '@palimpsest/rate-limiter-flexible';
import { limiterFolder } from './limiter-folder.ts';
import { STOPPED_AT_MS } from './stopped-at.ts';
import { wallClock } from './wall-clock.ts';
import { stopClock } from '../../../test/stopped-clock.ts';

describeLongRateCounters('MemoryRateCounters', async () => {
  const { advance, now, restore } = stopClock({ nowMs: STOPPED_AT_MS, timers: ['setTimeout'] });
  return { subject: { counters: new MemoryRateCounters(wallClock), advance, now }, close: async () => restore() };
});

describeLongRateCounters('SqliteRateCounters', async () => {
  const folder = await limiterFolder();
  const { rateCounters } = await folder.open();
  const { advance, now, restore } = stopClock({ nowMs: STOPPED_AT_MS });
  return {
    subject: { counters: rateCounters, advance, now },
    close: async () => {
      restore();
      await folder.remove();
    },
  };
});
