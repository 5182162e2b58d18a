import type { CountedWindow, RateCounters } from '@palimpsest/core';
import {
  openMongoRateCounters,
  type MongoLimiterClient,
  type MongoLimiterCollection,
} from '@palimpsest/rate-limiter-flexible';
import { expect } from 'chai';
import { mock } from 'node:test';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const fault = new Error('connection reset');

const countsOf = (windows: readonly CountedWindow[]): readonly number[] =>
  windows.map(({ count }) => count).sort((a, b) => a - b);
const hits = (counters: RateCounters, times: number): Promise<CountedWindow[]> =>
  Promise.all(Array.from({ length: times }, () => counters.hit('key', HOUR_MS)));
const oneTo = (most: number): readonly number[] => Array.from({ length: most }, (_, i) => i + 1);

/** A database that answers as it is told, and counts what it is asked. */
const someDatabase = () => {
  const told = { asked: 0, answer: (): Promise<never> => Promise.reject(fault) };
  const ask = () => {
    told.asked++;
    return told.answer();
  };
  const collection: MongoLimiterCollection = {
    findOne: ask,
    findOneAndUpdate: ask,
    deleteOne: ask,
    createIndex: () => Promise.resolve(''),
  };
  const client: MongoLimiterClient = { collection: () => collection };
  return { told, client, collection };
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

describe('Rate counters whose database has failed', () => {
  it('count exactly in this process, and throw nothing', async () => {
    const { client } = someDatabase();
    const { rateCounters } = await openMongoRateCounters({ client, restMs: 0 });
    expect(await rateCounters.peek('key')).to.equal(undefined);
    expect(countsOf(await hits(rateCounters, 100))).to.deep.equal(oneTo(100));
    await rateCounters.takeBack('key');
    expect(await rateCounters.peek('key')).to.have.property('count', 99);
    await rateCounters.clear('key');
    expect(await rateCounters.peek('key')).to.equal(undefined);
  });

  it('leave it alone for a while', async () => {
    const { client, told } = someDatabase();
    const { rateCounters } = await openMongoRateCounters({ client, restMs: 60_000 });
    for (const count of oneTo(10)) expect(await rateCounters.hit('key', HOUR_MS)).to.have.property('count', count);
    await rateCounters.peek('other');
    await rateCounters.takeBack('key');
    await rateCounters.clear('key');
    expect(told.asked).to.equal(1);
  });

  it('wait three seconds at most for one that is silent, and not at each call', async () => {
    const { client, told } = someDatabase();
    told.answer = () => new Promise(() => {});
    const { rateCounters } = await openMongoRateCounters({ client });
    expect(await timed(() => hits(rateCounters, 50))).to.be.within(2_900, 4_500);
    expect(await timed(() => hits(rateCounters, 50))).to.be.below(500);
    expect(await rateCounters.peek('key')).to.have.property('count', 100);
  });

  it('wait as long for it as they are told', async () => {
    const { client, told } = someDatabase();
    const { rateCounters } = await openMongoRateCounters({ client, waitMs: 10_000 });
    told.answer = () => new Promise((_, reject) => setTimeout(() => reject(fault), 3_500));
    expect(await timed(() => rateCounters.hit('key', HOUR_MS))).to.be.within(3_400, 9_000);
    const impatient = await openMongoRateCounters({ client, waitMs: 100 });
    expect(await timed(() => impatient.rateCounters.hit('key', HOUR_MS))).to.be.within(90, 2_000);
  });

  it('let one call try it again, which the others do not wait for', async () => {
    const { client, told } = someDatabase();
    const { rateCounters } = await openMongoRateCounters({ client, restMs: 0 });
    await rateCounters.hit('key', HOUR_MS);
    told.answer = () => new Promise(() => {});
    const trying = rateCounters.hit('key', HOUR_MS);
    expect(await timed(() => hits(rateCounters, 50))).to.be.below(500);
    expect(told.asked).to.equal(2);
    expect(await trying).to.have.property('count', 52);
  });

  it('say so with the error, once a minute, whatever is asked of them', async () => {
    const { client } = someDatabase();
    const heard: unknown[] = [];
    const { rateCounters } = await openMongoRateCounters({ client, restMs: 0, onFault: (error) => heard.push(error) });
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.now() });
    try {
      const calls = [
        () => rateCounters.peek('key'),
        () => rateCounters.hit('key', 1),
        () => rateCounters.takeBack('key'),
        () => rateCounters.clear('key'),
      ];
      for (const call of calls) await call();
      expect(heard).to.deep.equal([fault]);
      for (const call of calls) {
        mock.timers.tick(MINUTE_MS);
        await call();
      }
      expect(heard).to.deep.equal(Array.from({ length: 5 }, () => fault));
    } finally {
      mock.timers.reset();
    }
  });

  it('ask it nothing more when they are closed, and still count', async () => {
    const { client, told } = someDatabase();
    const counters = await openMongoRateCounters({ client, restMs: 0 });
    await counters.rateCounters.hit('key', HOUR_MS);
    counters.close();
    counters.close();
    expect(await counters.rateCounters.hit('key', HOUR_MS)).to.have.property('count', 2);
    expect(told.asked).to.equal(1);
  });

  it('are not opened when the indexes cannot be made', async () => {
    const { collection } = someDatabase();
    const client = { collection: () => ({ ...collection, createIndex: () => Promise.reject(fault) }) };
    expect(await openMongoRateCounters({ client }).catch((error: unknown) => error)).to.equal(fault);
  });
});

await describeOnMongo('Rate counters on a MongoDB server', (server) => {
  const database = databaseForSuite(server);

  const openOnServer = async (onFault: (error: unknown) => void) => {
    const { limiterClient } = await database().open();
    return (await openMongoRateCounters({ client: limiterClient, restMs: 200, onFault })).rateCounters;
  };

  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    const deadline = performance.now() + 20_000;
    while (!(await condition())) {
      if (performance.now() > deadline) throw new Error('Not so within 20 s');
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  };

  for (const [what, fail] of [
    ['is gone', () => (database().proxy.refuseNext(Infinity), database().proxy.dropConnections())],
    ['says nothing', () => database().proxy.delay(3_600_000)],
  ] as const) {
    it(`that ${what}: count in this process, no call takes longer than a few seconds, and count on there when it is back`, async () => {
      const heard: unknown[] = [];
      const counters = await openOnServer((error) => heard.push(error));
      expect(countsOf(await hits(counters, 5))).to.deep.equal(oneTo(5));
      fail();
      expect(await timed(() => hits(counters, 3))).to.be.below(5_000);
      for (const count of [4, 5]) expect(await counters.hit('key', HOUR_MS)).to.have.property('count', count);
      expect(heard).to.have.length(1);
      // What was given up on may have been counted there nevertheless.
      database().proxy.restore();
      database().proxy.dropConnections();
      const { rateCounters } = await openMongoRateCounters({ client: (await database().connect()).db });
      await until(async () => {
        const before = (await rateCounters.peek('key'))?.count ?? 0;
        const { count } = await counters.hit('key', HOUR_MS);
        return count > before && (await rateCounters.peek('key'))?.count === count;
      });
      expect((await rateCounters.peek('key'))?.count).to.be.at.least(6);
    });
  }

  it('have the database keep one window for each key and clear ended ones away', async () => {
    await openOnServer(() => {});
    const indexes = await (await database().connect()).collection('rate_counters').indexes();
    const found = indexes.map(({ key, unique, expireAfterSeconds }) => ({ key, unique, expireAfterSeconds }));
    expect(found).to.deep.include({ key: { key: 1 }, unique: true, expireAfterSeconds: undefined });
    expect(found).to.deep.include({ key: { expire: -1 }, unique: undefined, expireAfterSeconds: 0 });
  });
});
