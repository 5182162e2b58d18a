import { describeClock, describeTimer } from '@palimpsest/contract-tests';
import { MemoryClock } from '@palimpsest/memory';

describeClock('MemoryClock', async () => ({ subject: new MemoryClock(), close: async () => {} }));

describeTimer('MemoryClock', async () => {
  const timer = new MemoryClock();
  const subject = { timer, elapse: (ms: number) => timer.advance(ms), elapsedMs: () => timer.now() / 1000 };
  return { subject, close: async () => {} };
});
