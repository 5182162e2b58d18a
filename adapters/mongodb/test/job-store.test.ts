import { MongoJobStore } from '@palimpsest/mongodb';
import { expect } from 'chai';
import { ObjectId } from 'mongodb';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseForSuite } from './database-on-server.ts';

await describeOnMongo('MongoJobStore', (server) => {
  const database = databaseForSuite(server);

  it('locks the jobs that an earlier version stored: unlocked jobs at once, locked jobs after their lock has expired', async () => {
    const connection = await database().connect();
    const store = new MongoJobStore(connection);
    const [waiting, lost] = [new ObjectId(), new ObjectId()];
    const job = { type: 'normal', priority: 0, nextRunAt: new Date(1_000), lastModifiedBy: null };
    // A new job had no fields of a lock.
    await connection.db.collection('jobs').insertMany([
      { ...job, _id: waiting, name: 'recognize', data: { json: '{}' } },
      { ...job, _id: lost, name: 'send-mail', data: { json: '1' }, lockedAt: new Date(5_000), lockToken: 'token' },
    ]);
    expect(await store.lockNext('recognize', 'a', 10_000)).to.deep.equal({
      id: waiting.toHexString(),
      payload: '{}',
      isRecurring: false,
    });
    expect(await store.lockNext('send-mail', 'b', 10_000)).to.equal(undefined);
    await store.releaseExpired(['send-mail'], 5_000);
    expect(await store.lockNext('send-mail', 'c', 10_000)).to.include({ id: lost.toHexString(), payload: '1' });
    expect(await store.remove({ id: lost.toHexString(), token: 'c' })).to.equal(true);
  });
});
