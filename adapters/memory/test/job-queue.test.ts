import { NO_CONNECTION, describeJobQueue } from '@palimpsest/contract-tests';
import { MemoryClock, MemoryJobQueue, MemoryStore } from '@palimpsest/memory';
import { expect } from 'chai';

describeJobQueue(
  'MemoryJobQueue',
  () => {
    const store = new MemoryStore();
    const open = (): MemoryJobQueue => new MemoryJobQueue(store, { retryMs: 50 });
    return Promise.resolve({
      subject: open(),
      openSecond: () => Promise.resolve(open()),
      close: () => Promise.resolve(),
    });
  },
  { reopen: 'memory ends with its process', faults: NO_CONNECTION },
);

describe('MemoryJobQueue with a clock', () => {
  it('runs a job when the clock has come so far', async () => {
    const clock = new MemoryClock();
    const jobs = new MemoryJobQueue(new MemoryStore(), { clock, pollMs: 1 });
    await jobs.enqueue('read', {}, clock.now() + 3_600_000_000);
    const begun = Promise.withResolvers<'begun'>();
    const run = (): Promise<'done'> => {
      begun.resolve('begun');
      return Promise.resolve('done');
    };
    const worker = await jobs.work({ read: { concurrency: 1, run } }, () => undefined);
    expect(await jobs.countWaiting('read')).to.equal(1);
    clock.advance(3_600_000);
    expect(await begun.promise).to.equal('begun');
    await worker.stop(1000);
    expect(await jobs.countWaiting('read')).to.equal(0);
  });

  it('refuses a kind that is not a name', async () => {
    const jobs = new MemoryJobQueue(new MemoryStore());
    const error = await jobs.enqueue('Read it', {}).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TypeError);
  });
});
