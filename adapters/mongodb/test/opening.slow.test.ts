import { expect } from 'chai';
import { startChild } from '../../sqlite/test/child-process.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseForSuite } from './database-on-server.ts';

await describeOnMongo('openMongo in several processes', (server) => {
  const database = databaseForSuite(server);

  it('creates every index once when four processes open a new database at the same time', async function () {
    this.timeout(120_000);
    const { url, open, connect } = database();
    const children = [0, 1, 2, 3].map(() => startChild(new URL('open.child.ts', import.meta.url), url));
    await Promise.all(children.map((child) => child.printed(1)));
    for (const child of children) child.go();
    await Promise.all(children.map((child) => child.ended()));
    const { documents } = await open();
    for (const child of children) expect((await documents.find(child.lines[1] ?? ''))?.id).to.equal(child.lines[1]);
    const { db } = await connect();
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
