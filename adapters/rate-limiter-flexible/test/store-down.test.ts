import { DatabaseSync } from 'node:sqlite';
import type { CountedWindow, RateCounters } from '@palimpsest/core';
import { openSqliteRateCounters } from '@palimpsest/rate-limiter-flexible';
import { openLimiterDatabase } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { fragile, type FragileClient } from './fragile-client.ts';
import { limiterFolder, type CountersInFile, type LimiterFolder } from './limiter-folder.ts';
import { standClock, type StoodClock } from './stood-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const diskFault = new Error('disk I/O error');

const hits = (counters: RateCounters, key: string, times: number): Promise<CountedWindow[]> =>
  Promise.all(Array.from({ length: times }, () => counters.hit(key, HOUR_MS)));
const countsOf = (windows: readonly CountedWindow[]): readonly number[] =>
  windows.map(({ count }) => count).sort((a, b) => a - b);

describe('Rate counters whose file cannot be used', () => {
  let folder: LimiterFolder;
  let clock: StoodClock;
  let client: FragileClient;
  let counters: RateCounters;
  let opened: CountersInFile;
  const told: unknown[] = [];

  beforeEach(async () => {
    told.length = 0;
    folder = await limiterFolder();
    opened = await folder.open({
      through: (sound) => (client = fragile(sound)),
      restMs: 0,
      onFault: (error) => told.push(error),
    });
    counters = opened.rateCounters;
    clock = standClock(['setTimeout']);
  });
  afterEach(async () => {
    clock.reset();
    await folder.remove();
  });

  it('count exactly in this process, with windows, and throw nothing', async () => {
    client.fault = diskFault;
    expect(await counters.peek('key')).to.equal(undefined);
    const windows = await hits(counters, 'key', 100);
    expect(countsOf(windows)).to.deep.equal(Array.from({ length: 100 }, (_, i) => i + 1));
    const endsAt = clock.now() + HOUR_MS * 1000;
    expect(await counters.peek('key')).to.deep.equal({ count: 100, endsAt });
    await counters.takeBack('key');
    clock.advance(HOUR_MS - 1);
    expect(await counters.hit('key', HOUR_MS)).to.deep.equal({ count: 100, endsAt });
    clock.advance(1);
    expect(await counters.hit('key', HOUR_MS)).to.have.property('count', 1);
    await counters.clear('key');
    expect(await counters.peek('key')).to.equal(undefined);
    for (let i = 0; i < 3; i++) await counters.takeBack('key');
    expect(await counters.hit('key', HOUR_MS)).to.have.property('count', 1);
  });

  it('count on in the file when it can be used again', async () => {
    await hits(counters, 'key', 5);
    client.fault = diskFault;
    expect(countsOf(await hits(counters, 'key', 3))).to.deep.equal([1, 2, 3]);
    client.fault = undefined;
    expect(await counters.hit('key', HOUR_MS)).to.have.property('count', 6);
    await counters.takeBack('key');
    expect(await counters.peek('key')).to.have.property('count', 5);
    await counters.clear('key');
    expect(await counters.peek('key')).to.equal(undefined);
  });

  it('say so with the error, once a minute, whatever is asked of them', async () => {
    client.fault = diskFault;
    for (let i = 0; i < 10; i++) {
      await counters.peek('key');
      await counters.hit('key', HOUR_MS);
      await counters.takeBack('key');
      await counters.clear('key');
    }
    expect(told).to.deep.equal([diskFault]);
    clock.advance(MINUTE_MS - 1);
    await counters.peek('key');
    expect(told).to.have.length(1);
    for (const call of [
      () => counters.peek('key'),
      () => counters.hit('key', 1),
      () => counters.takeBack('key'),
      () => counters.clear('key'),
    ]) {
      clock.advance(MINUTE_MS);
      await call();
    }
    expect(told).to.deep.equal(Array.from({ length: 5 }, () => diskFault));
  });

  it('count in this process while another one has the file locked for long, and when the connection is closed', async () => {
    const other = new DatabaseSync(folder.file);
    other.exec('BEGIN IMMEDIATE');
    expect(await counters.hit('key', HOUR_MS)).to.have.property('count', 1);
    other.close();
    expect(told).to.have.length(1);
    expect(told[0]).to.have.property('errstr', 'database is locked');
    expect(await counters.hit('key', HOUR_MS)).to.have.property('count', 1);
    opened.database.close();
    expect(countsOf(await hits(counters, 'key', 3))).to.deep.equal([2, 3, 4]);
  });
});

describe('Rate counters whose file has just failed', () => {
  it('leave it alone for a while, and do not wait for it at each call', async () => {
    const folder = await limiterFolder();
    let calls = 0;
    let client: FragileClient | undefined;
    const { rateCounters } = await folder.open({
      restMs: 60_000,
      through: (sound) => {
        client = fragile({
          prepare: (sql) => sound.prepare(sql),
          transaction: (work) => () => {
            calls++;
            return sound.transaction(work)();
          },
        });
        return client;
      },
    });
    await rateCounters.hit('key', HOUR_MS);
    const before = calls;
    client ??= expect.fail('no client');
    client.fault = diskFault;
    expect(await rateCounters.hit('key', HOUR_MS)).to.have.property('count', 1);
    client.fault = undefined;
    for (let i = 2; i < 10; i++) expect(await rateCounters.hit('key', HOUR_MS)).to.have.property('count', i);
    expect(calls).to.equal(before);
    await folder.remove();
  });

  it('hold up nothing but one call while another process has it locked', async () => {
    const folder = await limiterFolder();
    const { rateCounters } = await folder.open();
    const other = new DatabaseSync(folder.file);
    other.exec('BEGIN IMMEDIATE');
    await rateCounters.hit('key', HOUR_MS);
    const begun = performance.now();
    for (let i = 0; i < 8; i++) await rateCounters.hit('key', HOUR_MS);
    const took = performance.now() - begun;
    other.close();
    await folder.remove();
    expect(took).to.be.below(200);
  });
});

describe('Rate counters by a clock that is apart from the wall clock', () => {
  it('tell the ends of windows by it', async () => {
    const folder = await limiterFolder();
    const ahead = { now: () => (Date.now() + HOUR_MS) * 1000 };
    const { rateCounters } = await folder.open({ clock: ahead });
    const clock = standClock();
    expect(await rateCounters.hit('key', 15_000)).to.deep.equal({ count: 1, endsAt: ahead.now() + 15_000_000 });
    expect(await rateCounters.peek('key')).to.deep.equal({ count: 1, endsAt: ahead.now() + 15_000_000 });
    clock.advance(15_000);
    expect(await rateCounters.peek('key')).to.equal(undefined);
    clock.reset();
    await folder.remove();
  });
});

describe('openSqliteRateCounters', () => {
  let folder: LimiterFolder;

  beforeEach(async () => {
    folder = await limiterFolder();
  });
  afterEach(() => folder.remove());

  it('throws what goes wrong while the table is made', async () => {
    const database = await openLimiterDatabase({ file: folder.file });
    const client = fragile(database);
    client.fault = diskFault;
    const failure = await openSqliteRateCounters({ client }).catch((error: unknown) => error);
    database.close();
    expect(failure).to.equal(diskFault);
  });

  it('has the table when it resolves, also for the first of many hits', async () => {
    const faults: unknown[] = [];
    const { rateCounters } = await folder.open({ onFault: (error) => faults.push(error) });
    expect(countsOf(await hits(rateCounters, 'key', 100))).to.deep.equal(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(faults).to.deep.equal([]);
  });
});
