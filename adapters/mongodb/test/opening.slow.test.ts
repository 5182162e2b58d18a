import { expect } from 'chai';
import { openTogether } from '../../../test/processes/concurrent-processes.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseForSuite } from './database-on-server.ts';

await describeOnMongo('openMongo in several processes', (server) => {
  const database = databaseForSuite(server);

  it('creates every index once when four processes open a new database at the same time', async function () {
    this.timeout(120_000);
    await openTogether({ kind: 'mongodb', location: database().url });
    const { db } = await database().connect();
    const names = (await db.collection('documents').listIndexes().toArray()).map(({ name }) => String(name));
    expect(names).to.have.members([
      '_id_',
      'listed',
      'claimable',
      'claimable_of_owner',
      'claimable_in_order',
      'held',
      'purgeable',
      'by_blob',
    ]);
  });
});
