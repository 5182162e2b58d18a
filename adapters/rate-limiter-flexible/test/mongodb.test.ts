import { openMongoRateCounters, type MongoCollection } from '@palimpsest/rate-limiter-flexible';
import { expect } from 'chai';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { wallClock } from './wall-clock.ts';

const HOUR_MS = 3_600_000;
const duplicateKey = Object.assign(new Error('E11000 duplicate key error'), { code: 11_000 });

/** A database whose upsert the test scripts. */
const scriptedDatabase = (script: Partial<MongoCollection>) => {
  const collection: MongoCollection = {
    findOne: async () => null,
    findOneAndUpdate: async () => null,
    deleteOne: async () => ({}),
    createIndex: async () => '',
    ...script,
  };
  return { collection: () => collection };
};

describe('openMongoRateCounters', () => {
  it('throws the error of the driver if an index cannot be created', async () => {
    const error = new Error('connection reset');
    const client = scriptedDatabase({ createIndex: () => Promise.reject(error) });
    expect(await openMongoRateCounters({ client, clock: wallClock }).catch((thrown: unknown) => thrown)).to.equal(
      error,
    );
  });

  for (const [duplicates, expected] of [
    [4, 'in the database'],
    [5, 'in memory'],
  ] as const) {
    it(`counts a hit ${expected} after the upsert found a duplicate key ${duplicates} times`, async () => {
      let calls = 0;
      const findOneAndUpdate = async (): Promise<object> => {
        if (calls++ < duplicates) throw duplicateKey;
        return { points: 17, expire: new Date(1) };
      };
      const reported: unknown[] = [];
      const { rateCounters } = await openMongoRateCounters({
        client: scriptedDatabase({ findOneAndUpdate }),
        clock: wallClock,
        onFault: (error) => reported.push(error),
      });
      const isStored = expected === 'in the database';
      expect(await rateCounters.hit('key', HOUR_MS)).to.have.property('count', isStored ? 17 : 1);
      expect(reported).to.deep.equal(isStored ? [] : [duplicateKey]);
    });
  }
});

await describeOnMongo('Rate counters on a MongoDB server', (server) => {
  const database = databaseForSuite(server);

  it('create a unique index on the key and a TTL index on the end of the window', async () => {
    await openMongoRateCounters({ client: (await database().open()).limiterClient, clock: wallClock });
    const indexes = await (await database().connect()).collection('rate_counters').indexes();
    const found = indexes.map(({ key, unique, expireAfterSeconds }) => ({ key, unique, expireAfterSeconds }));
    expect(found).to.deep.include({ key: { key: 1 }, unique: true, expireAfterSeconds: undefined });
    expect(found).to.deep.include({ key: { expire: -1 }, unique: undefined, expireAfterSeconds: 0 });
  });

  it('count in memory while the server does not answer, and in the database afterwards', async () => {
    let nowMs = 0;
    const reported: unknown[] = [];
    const { rateCounters } = await openMongoRateCounters({
      client: (await database().open()).limiterClient,
      clock: wallClock,
      timeoutMs: 100,
      nowMs: () => nowMs,
      onFault: (error) => reported.push(error),
    });
    const direct = (
      await openMongoRateCounters({ client: (await database().connect()).db, clock: wallClock, timeoutMs: 30_000 })
    ).rateCounters;
    for (let i = 0; i < 5; i++) await direct.hit('key', HOUR_MS);
    database().proxy.delay(HOUR_MS);
    expect(await rateCounters.hit('key', HOUR_MS)).to.have.property('count', 1);
    expect(reported).to.have.length(1);
    database().proxy.restore();
    database().proxy.dropConnections();
    // The command that timed out may have been counted nevertheless.
    let count = 0;
    for (let attempt = 0; attempt < 100 && count < 6; attempt++) {
      nowMs += 5_000;
      ({ count } = await rateCounters.hit('key', HOUR_MS));
    }
    expect(count).to.be.at.least(6);
    expect((await direct.peek('key'))?.count).to.equal(count);
  }).timeout(120_000);
});
