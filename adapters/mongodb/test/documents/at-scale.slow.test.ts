import { aCompletedDocument, aDocument, aProcessingDocument, at } from '@palimpsest/contract-tests';
import type { Document } from '@palimpsest/core';
import type { Database, Mongo } from '@palimpsest/mongodb';
import { expect } from 'chai';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseOn, type TestDatabase } from '../database-on-server.ts';

const WAITING = 100_000;
const OWNERS = 1_000;
const BATCH = 5_000;

/** Stores documents as the repository does, many at once; `claimAt` is given for those that wait. */
const fill = async ({ db }: Database, count: number, make: (i: number) => Document): Promise<void> => {
  const owners = new Set<string>();
  for (let start = 0; start < count; start += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - start) }, (_, i) => {
      const { id, pageTries: _tries, ...record } = make(start + i);
      if (record.status === 'queued') owners.add(record.ownerId);
      const claimAt = record.status === 'queued' ? { claimAt: record.notBefore, waits: true } : { waits: false };
      return { _id: id, record: { ...record, pageTries: [] }, listed: true, addedBy: '', changedBy: '', ...claimAt };
    });
    await db.collection<{ _id: string }>('documents').insertMany(rows, { ordered: false, writeConcern: { w: 1 } });
  }
  const marks = [...owners].map((_id) => ({ _id, lastServed: 0, stirs: true, stirredAt: new Date() }));
  if (marks.length > 0) await db.collection<{ _id: string }>('owners').insertMany(marks);
};

/** The median time of a call in milliseconds. */
const median = async (call: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < 21; i++) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[10] ?? 0;
};

await describeOnMongo('A MongoDocumentRepository with many documents', function (server) {
  let database: TestDatabase;
  let mongo: Mongo;
  let direct: Database;

  before('fill a database', async function () {
    this.timeout(180_000);
    database = await databaseOn(server);
    mongo = await database.open({ url: `${database.proxiedUrl}&monitorCommands=true` });
    direct = await database.connect();
    await fill(direct, WAITING, (i) =>
      aDocument({ id: `waiting-${i}`, ownerId: `owner-${i % OWNERS}`, receivedAt: at(i) }),
    );
    await fill(direct, 300, (i) => aCompletedDocument({ id: `few-${i}`, ownerId: 'few', receivedAt: at(i) }));
    await fill(direct, 5_000, (i) => aCompletedDocument({ id: `many-${i}`, ownerId: 'many', receivedAt: at(i) }));
  });
  after('drop it', () => database.drop());

  it('finds the next of 100,000 documents of 1,000 owners quickly', async function () {
    this.timeout(60_000);
    const now = at(WAITING);
    expect((await mongo.documents.nextClaimable(now))?.id).to.equal('waiting-0');
    expect(await median(() => mongo.documents.nextClaimable(now))).to.be.below(150);
    // Nobody is due; only one is, behind everybody else in the order of turns.
    expect(await mongo.documents.nextClaimable(at(-1))).to.equal(undefined);
    expect(await median(() => mongo.documents.nextClaimable(at(-1)))).to.be.below(1_000);
    await mongo.documents.add(aDocument({ ownerId: 'z', receivedAt: at(-50) }));
    expect((await mongo.documents.nextClaimable(at(-50)))?.ownerId).to.equal('z');
    expect(await median(() => mongo.documents.nextClaimable(at(-50)))).to.be.below(1_000);
  });

  it('finds the next document quickly of the only owner who waits, and who is busy', async function () {
    this.timeout(60_000);
    const lease = { token: 'run', claimedAt: at(0), expiresAt: at(30) };
    await mongo.documents.add(aProcessingDocument({ ownerId: 'owner-0', run: 'run', lease }));
    await direct.db.collection('owners').updateMany({ _id: { $ne: 'owner-0' as never } }, { $set: { stirs: false } });
    const looks = new Set<unknown>();
    mongo.limiterClient.client.on('commandStarted', ({ command }) =>
      looks.add(command['query']?.['record.ownerId']?.$gte),
    );
    expect((await mongo.documents.nextClaimable(at(0)))?.ownerId).to.equal('owner-0');
    expect(await median(() => mongo.documents.nextClaimable(at(0)))).to.be.below(150);
    expect(looks.has(''), 'a look at all owners').to.equal(false);
  });

  it('lists an owner quickly, however many documents others have', async () => {
    const list = (ownerId: string) => () => mongo.documents.list(ownerId, { limit: 50, offset: 0 });
    expect((await list('few')()).total).to.equal(300);
    expect((await list('many')()).total).to.equal(5_000);
    expect(await median(list('few'))).to.be.below(60);
    expect(await median(list('many'))).to.be.below(300);
  });

  it('forgets who waits when nothing of theirs is left to claim, and no sooner, and not for good', async () => {
    const owners = direct.db.collection<{ _id: string }>('owners');
    const waits = async (ownerId: string) => (await owners.countDocuments({ _id: ownerId, stirs: true })) === 1;
    await mongo.documents.add(aDocument({ id: 'last', ownerId: '0', receivedAt: at(-60) }));
    await mongo.documents.remove('last');
    await mongo.documents.nextClaimable(at(-60));
    expect(await waits('0'), 'just marked').to.equal(true);
    for (const ownerId of ['0', 'owner-0'])
      await owners.updateOne({ _id: ownerId }, { $set: { stirredAt: new Date(Date.now() - 7_200_000) } });
    await mongo.documents.nextClaimable(at(-60));
    expect([await waits('0'), await waits('owner-0')]).to.deep.equal([false, true]);
    await mongo.documents.add(aDocument({ ownerId: '0', receivedAt: at(-60) }));
    expect((await mongo.documents.nextClaimable(at(-60)))?.ownerId).to.equal('0');
  });
});
