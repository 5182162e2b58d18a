import { setImmediate as nextTurn } from 'node:timers/promises';
import { plusMs, type Clock } from '@palimpsest/core';
import { openSqliteRateCounters, type SqliteClient } from '@palimpsest/rate-limiter-flexible';
import { expect } from 'chai';
import { limiterFolder, type CountersInFile, type LimiterFolder } from './limiter-folder.ts';
import { STOPPED_AT_MS } from './stopped-at.ts';
import { stopClock, type StoppedClock } from '../../../test/stopped-clock.ts';
import { wallClock } from './wall-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('openSqliteRateCounters', () => {
  let folder: LimiterFolder;
  beforeEach(async () => {
    folder = await limiterFolder();
  });
  afterEach(() => folder.remove());

  const storedKeys = ({ database }: CountersInFile): number =>
    database.prepare('SELECT key FROM rate_counters').all().length;

  it('throws the error of SQLite if the table cannot be created', async () => {
    const diskError = new Error('disk I/O error');
    const client: SqliteClient = {
      prepare: () => {
        throw diskError;
      },
    };
    expect(await openSqliteRateCounters({ client, clock: wallClock }).catch((error: unknown) => error)).to.equal(
      diskError,
    );
  });

  it('counts in memory while another connection holds the lock, and in the file afterwards', async () => {
    const reported: unknown[] = [];
    const { rateCounters, database } = await folder.open({ openMs: 0, onFault: (error) => reported.push(error) });
    for (const count of [1, 2, 3]) expect(await rateCounters.hit('key', HOUR_MS)).to.have.property('count', count);
    database.prepare('PRAGMA busy_timeout = 0').get();
    const other = await folder.open();
    other.database.prepare('BEGIN IMMEDIATE').run();
    expect(await rateCounters.hit('key', HOUR_MS)).to.have.property('count', 1);
    expect(reported).to.have.length(1);
    expect(reported[0]).to.have.property('errstr', 'database is locked');
    other.database.prepare('ROLLBACK').run();
    expect(await rateCounters.hit('key', HOUR_MS)).to.have.property('count', 4);
  });

  it('counts in memory after its connection was closed', async () => {
    const { rateCounters, database } = await folder.open();
    await rateCounters.hit('key', HOUR_MS);
    database.close();
    expect(await rateCounters.hit('key', HOUR_MS)).to.have.property('count', 1);
  });

  it('ends windows by the given clock', async () => {
    let now = plusMs(0, 1_000_000);
    const clock: Clock = { now: () => now };
    const { rateCounters } = await folder.open({ clock });
    const window = { count: 1, endsAt: plusMs(now, 15_000) };
    expect(await rateCounters.hit('key', 15_000)).to.deep.equal(window);
    now = plusMs(now, 14_999);
    expect(await rateCounters.peek('key')).to.deep.equal(window);
    now = plusMs(now, 1);
    expect(await rateCounters.peek('key')).to.equal(undefined);
  });

  it('continues to count in windows that an earlier version stored', async () => {
    const earlier = await folder.open();
    await earlier.rateCounters.hit('key', HOUR_MS);
    const [row] = earlier.database.prepare('SELECT key, points, expire FROM rate_counters').all();
    earlier.database.prepare('DROP TABLE rate_counters').run();
    earlier.database
      .prepare('CREATE TABLE rate_counters (key TEXT PRIMARY KEY, points INTEGER NOT NULL DEFAULT 0, expire INTEGER)')
      .run();
    earlier.database
      .prepare('INSERT INTO rate_counters VALUES (?, 5, ?)')
      .run(String(row?.['key']), Number(row?.['expire']));
    const { rateCounters } = await folder.open();
    expect(await rateCounters.hit('key', HOUR_MS)).to.have.property('count', 6);
  });

  describe('the cleanup that runs once a minute', () => {
    let clock: StoppedClock;
    beforeEach(() => {
      clock = stopClock({ nowMs: STOPPED_AT_MS, timers: ['setInterval'] });
    });
    afterEach(() => clock.restore());

    const cleanUp = async (): Promise<void> => {
      clock.advance(MINUTE_MS);
      for (let turn = 0; turn < 20; turn++) await nextTurn();
    };

    it('deletes all ended windows and keeps the open ones', async () => {
      const counters = await folder.open();
      await counters.rateCounters.hit('open', 2 * MINUTE_MS);
      for (let i = 0; i < 600; i++) await counters.rateCounters.hit(`key ${i}`, MINUTE_MS);
      await cleanUp();
      expect(storedKeys(counters)).to.equal(1);
      expect(await counters.rateCounters.peek('open')).to.have.property('count', 1);
    });

    it('deletes nothing after it was closed', async () => {
      const counters = await folder.open();
      await counters.rateCounters.hit('key', 1);
      counters.close();
      await cleanUp();
      expect(storedKeys(counters)).to.equal(1);
    });

    it('reports an error of the cleanup and does not throw it', async () => {
      const reported: unknown[] = [];
      const { database } = await folder.open({ onFault: (error) => reported.push(error) });
      database.close();
      await cleanUp();
      expect(reported).to.have.length(1);
    });
  });
});
