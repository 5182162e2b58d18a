import { NO_CONNECTION, describeJobQueue, type TimedJobQueue } from '@palimpsest/contract-tests';
import { MemoryClock, MemoryJobQueue, MemoryStore } from '@palimpsest/memory';
import { expect } from 'chai';

describeJobQueue(
  'MemoryJobQueue',
  () => {
    const [store, clock] = [new MemoryStore(), new MemoryClock()];
    const open = (): TimedJobQueue => ({
      jobs: new MemoryJobQueue(store, { clock }),
      now: () => clock.now(),
      advance: (ms) => clock.advance(ms),
    });
    return Promise.resolve({
      subject: open(),
      openSecond: () => Promise.resolve(open()),
      close: () => Promise.resolve(),
    });
  },
  { reopen: 'memory ends with the process', faults: NO_CONNECTION },
);

describe('MemoryJobQueue', () => {
  it('refuses a kind with characters other than lowercase letters and hyphens', async () => {
    const jobs = new MemoryJobQueue(new MemoryStore(), { clock: new MemoryClock() });
    const error = await jobs.enqueue('Read it', {}).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TypeError);
  });
});
