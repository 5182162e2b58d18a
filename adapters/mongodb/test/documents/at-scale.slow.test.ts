import { aCompletedDocument, aDocument, aProcessingDocument, at } from '@palimpsest/contract-tests';
import type { Document } from '@palimpsest/core';
import type { Database, Mongo } from '@palimpsest/mongodb';
import { expect } from 'chai';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { fieldsOf } from '../../src/documents/document-row.ts';
import { databaseOn, type TestDatabase } from '../database-on-server.ts';

const WAITING = 100_000;
const OWNERS = 1_000;
const BATCH = 5_000;

/** Stores documents in the form of the repository, in batches. */
const fill = async ({ db }: Database, count: number, make: (i: number) => Document): Promise<void> => {
  for (let start = 0; start < count; start += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - start) }, (_, i) => {
      const document = make(start + i);
      return { _id: document.id, ...fieldsOf(document), addedBy: '', changedBy: '' };
    });
    await db.collection<{ _id: string }>('documents').insertMany(rows, { ordered: false, writeConcern: { w: 1 } });
  }
};

await describeOnMongo('MongoDocumentRepository with 100,000 waiting documents of 1,000 owners', (server) => {
  let database: TestDatabase;
  let mongo: Mongo;
  let commands: string[];

  before('fill a database', async function () {
    this.timeout(300_000);
    database = await databaseOn(server);
    mongo = await database.open({ url: `${database.proxiedUrl}&monitorCommands=true`, socketMs: 60_000 });
    mongo.limiterClient.client.on('commandStarted', ({ commandName }) => commands.push(commandName));
    commands = [];
    const direct = await database.connect();
    await fill(direct, WAITING, (i) =>
      aDocument({ id: `waiting-${i}`, ownerId: `owner-${i % OWNERS}`, receivedAt: at(i) }),
    );
    await fill(direct, 5_000, (i) => aCompletedDocument({ id: `many-${i}`, ownerId: 'many', receivedAt: at(i) }));
  });
  beforeEach(() => {
    commands = [];
  });
  after('drop the database', () => database.drop());

  it('needs five commands to find the next document', async function () {
    this.timeout(60_000);
    expect((await mongo.documents.nextClaimable(at(WAITING)))?.id).to.match(/^waiting-\d{1,3}$/);
    expect(commands).to.deep.equal(['find', 'distinct', 'find', 'find', 'find']);
  });

  it('needs one command when no document is due', async function () {
    this.timeout(60_000);
    expect(await mongo.documents.nextClaimable(at(-1))).to.equal(undefined);
    expect(commands).to.deep.equal(['find']);
  });

  it('finds the only due document, even if its owner already holds a document', async function () {
    this.timeout(60_000);
    const lease = { token: 'run', claimedAt: at(-100), expiresAt: at(30) };
    await mongo.documents.add(aProcessingDocument({ ownerId: 'busy', run: 'run', lease }));
    await mongo.documents.add(aDocument({ ownerId: 'busy', receivedAt: at(-50) }));
    commands = [];
    expect((await mongo.documents.nextClaimable(at(-50)))?.ownerId).to.equal('busy');
    expect(commands).to.deep.equal(['find', 'distinct', 'find']);
  });

  it('needs two commands to list 50 of 5,000 documents of an owner and their total', async function () {
    this.timeout(60_000);
    const { items, total } = await mongo.documents.list('many', { limit: 50, offset: 0 });
    expect([items.length, total]).to.deep.equal([50, 5_000]);
    expect(commands).to.deep.equal(['find', 'aggregate']);
  });
});
