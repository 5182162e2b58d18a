import { NO_CONNECTION, describeRateCounters } from '@palimpsest/contract-tests';
import { MemoryClock, MemoryRateCounters, MemoryStore } from '@palimpsest/memory';
import { expect } from 'chai';

describeRateCounters(
  'MemoryRateCounters',
  async () => {
    const store = new MemoryStore();
    const clock = new MemoryClock();
    const handle = () => ({
      counters: new MemoryRateCounters(store, clock),
      advance: (ms: number) => clock.advance(ms),
      now: () => clock.now(),
    });
    return { subject: handle(), openSecond: async () => handle(), close: async () => {} };
  },
  { reopen: 'memory ends with the process', faults: NO_CONNECTION },
);

describe('MemoryRateCounters', () => {
  it('removes ended windows, so that memory does not grow with the number of keys', async () => {
    const store = new MemoryStore();
    const clock = new MemoryClock();
    const counters = new MemoryRateCounters(store, clock);
    let most = 0;
    for (let i = 0; i < 20_000; i++) {
      await counters.hit(`key ${i}`, 100);
      clock.advance(1);
      most = Math.max(most, store.rateWindows.size);
    }
    expect(most).to.be.below(2_000);
  });
});
