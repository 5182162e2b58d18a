import { setImmediate as othersFirst } from 'node:timers/promises';
import { MemoryLimiter, RateLimiterFlexibleCounters } from '@palimpsest/rate-limiter-flexible';
import { expect } from 'chai';
import { fragile, type FragileClient } from './fragile-client.ts';
import { limiterFolder, type LimiterFolder } from './limiter-folder.ts';
import { standClock, type StoodClock } from './stood-clock.ts';

const MINUTE_MS = 60_000;

describe('Windows that have ended', () => {
  let clock: StoodClock;
  let folder: LimiterFolder;

  beforeEach(async () => {
    clock = standClock(['setTimeout', 'setInterval']);
    folder = await limiterFolder();
  });
  afterEach(async () => {
    clock.reset();
    await folder.remove();
  });

  it('are forgotten in memory', async () => {
    const limiter = new MemoryLimiter();
    const counters = new RateLimiterFlexibleCounters(limiter);
    for (let i = 0; i < 1_000; i++) await counters.hit(`key ${i}`, 1_001);
    await counters.hit('longer', 1_002);
    clock.advance(1_000);
    expect(limiter.dump().storage).to.have.length(1_001);
    clock.advance(1);
    expect(limiter.dump().storage).to.have.length(1);
    clock.advance(1);
    expect(limiter.dump().storage).to.have.length(0);
  });

  it('are cleared from the file once a minute, and no others, until it is closed', async () => {
    const { rateCounters, database, stop } = await folder.open();
    const rows = (): number =>
      Number(Object.values(database.prepare('SELECT count(*) FROM rate_counters').get() ?? {})[0]);
    const cleared = async (to: number): Promise<void> => {
      clock.advance(MINUTE_MS);
      for (let turn = 0; turn < 20 && rows() > to; turn++) await othersFirst();
      expect(rows()).to.equal(to);
    };
    await rateCounters.hit('open', 2 * MINUTE_MS + 1);
    for (let i = 0; i < 1_700; i++) await rateCounters.hit(`key ${i}`, MINUTE_MS);
    await cleared(1);
    await rateCounters.hit('ends soon', 1);
    await cleared(1);
    expect(await rateCounters.peek('open')).to.have.property('count', 1);
    await rateCounters.hit('ends soon', 1);
    stop();
    stop();
    clock.advance(MINUTE_MS);
    for (let turn = 0; turn < 5; turn++) await othersFirst();
    expect(rows()).to.equal(2);
  });

  it('are left where they are while the file cannot be used, and nothing is thrown', async () => {
    const told: unknown[] = [];
    let client: FragileClient | undefined;
    const { rateCounters } = await folder.open({
      through: (sound) => (client = fragile(sound)),
      onFault: (error) => told.push(error),
    });
    await rateCounters.hit('key', 1);
    if (client) client.fault = new Error('disk I/O error');
    clock.advance(MINUTE_MS);
    expect(told).to.deep.equal([client?.fault]);
  });
});
