import { setTimeout as delay } from 'node:timers/promises';
import { NO_CONNECTION, describeJobQueue, type TimedJobQueue } from '@palimpsest/contract-tests';
import { MemoryClock, MemoryJobQueue, MemoryStore } from '@palimpsest/memory';
import { expect } from 'chai';

const POLL_MS = 10;

describeJobQueue(
  'MemoryJobQueue',
  () => {
    const [store, clock] = [new MemoryStore(), new MemoryClock()];
    const open = (): TimedJobQueue => ({
      jobs: new MemoryJobQueue(store, { clock, pollMs: POLL_MS }),
      now: () => clock.now(),
      advance: (ms) => clock.advance(ms),
      // Timers of one duration fire in the order in which they were set. So each worker polls once per delay.
      polled: async () => {
        for (let polls = 0; polls < 2; polls++) await delay(POLL_MS);
      },
    });
    return Promise.resolve({
      subject: open(),
      openSecond: () => Promise.resolve(open()),
      close: () => Promise.resolve(),
    });
  },
  { reopen: 'memory ends with the process', kill: 'memory ends with the process', faults: NO_CONNECTION },
);

describe('MemoryJobQueue', () => {
  it('refuses a kind with characters other than lowercase letters and hyphens', async () => {
    const jobs = new MemoryJobQueue(new MemoryStore(), { clock: new MemoryClock() });
    const error = await jobs.enqueue('Read it', {}).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TypeError);
  });
});
