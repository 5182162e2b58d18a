import { aDocument, aFailedDocument, aProcessingDocument, at } from '@palimpsest/contract-tests';
import type { Mongo } from '@palimpsest/mongodb';
import { expect } from 'chai';
import type { Db } from 'mongodb';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseForSuite } from './database-on-server.ts';

const lease = { token: 'run', claimedAt: at(0), expiresAt: at(30) };

await describeOnMongo('The turn of an owner in a MongoDB', (server) => {
  const database = databaseForSuite(server);
  let mongo: Mongo;
  let db: Db;

  /** Has a worker of the owner `served` die after it stored its claim, before anything else was written. */
  const dieAfterClaim = async (id: string): Promise<void> => {
    const document = aDocument({ id, ownerId: 'a-served' });
    await mongo.documents.add(document);
    expect(
      await mongo.documents.replace(aProcessingDocument({ id, ownerId: 'a-served', run: 'run', lease, version: 2 })),
    ).to.equal(true);
    const owner = await db
      .collection<{ _id: string; lastServed: number }>('owners')
      .findOneAndUpdate({ _id: 'a-served' }, { $set: { lastServed: 0 } });
    expect(owner?.lastServed).to.equal(1);
    await db.collection<{ _id: string }>('documents').updateOne({ _id: id }, { $set: { turn: 1 } });
  };

  const nextOwner = async (): Promise<string | undefined> => {
    for (const ownerId of ['a-served', 'b-new']) await mongo.documents.add(aDocument({ ownerId }));
    return (await mongo.documents.nextClaimable(at(1)))?.ownerId;
  };

  beforeEach(async () => {
    mongo = await database().open();
    ({ db } = await database().connect());
  });

  const ends: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'the document fails': (id) => mongo.documents.replace(aFailedDocument({ id, ownerId: 'a-served', version: 3 })),
    'the record is removed': (id) => mongo.documents.remove(id),
  };
  for (const [what, end] of Object.entries(ends)) {
    it(`counts whose worker died before all of it was written, also when ${what} at once`, async () => {
      await dieAfterClaim('claimed');
      await end('claimed');
      expect(await nextOwner()).to.equal('b-new');
      expect(await db.collection('documents').countDocuments({ turn: { $exists: true } })).to.equal(0);
    });
  }

  it('comes after one that is nowhere but in a document', async () => {
    await dieAfterClaim('claimed');
    await mongo.documents.add(aDocument({ id: 'later', ownerId: 'b-new' }));
    await mongo.documents.replace(aProcessingDocument({ id: 'later', ownerId: 'b-new', lease, version: 2 }));
    for (const [id, ownerId] of [
      ['claimed', 'a-served'],
      ['later', 'b-new'],
    ] as const) {
      expect(await mongo.documents.replace(aFailedDocument({ id, ownerId, version: 3 }))).to.equal(true);
    }
    expect(await nextOwner()).to.equal('a-served');
  });
});
