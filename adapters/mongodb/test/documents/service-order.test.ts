import { aDocument, aProcessingDocument, at } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseForSuite } from '../database-on-server.ts';

await describeOnMongo('The service order of owners in MongoDB', (server) => {
  const database = databaseForSuite(server);

  it('ignores the fields that an earlier version stored for waiting owners and pending claims', async () => {
    const { documents } = await database().open();
    const { db } = await database().connect();
    await db
      .collection<{ _id: string }>('owners')
      .insertMany([
        { _id: 'a-served', lastServed: 7, stirs: true, stirredAt: new Date(0) } as { _id: string },
        { _id: 'b-new', lastServed: 0, stirs: false } as { _id: string },
      ]);
    const lease = { token: 'run', claimedAt: at(0), expiresAt: at(30) };
    const pending = aProcessingDocument({ id: 'pending', ownerId: 'c', run: 'run', lease });
    await documents.add(pending);
    await db.collection<{ _id: string }>('documents').updateOne({ _id: 'pending' }, { $set: { turn: 8 } });
    for (const ownerId of ['a-served', 'b-new', 'c']) await documents.add(aDocument({ ownerId }));
    expect((await documents.nextClaimable(at(1)))?.ownerId).to.equal('b-new');
    expect(await documents.find('pending')).to.deep.equal(pending);
    await documents.remove('pending');
    expect(await documents.find('pending')).to.equal(undefined);
  });
});
