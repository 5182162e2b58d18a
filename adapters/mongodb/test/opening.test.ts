import { inspect } from 'node:util';
import { isAppError } from '@palimpsest/core';
import { openMongo } from '@palimpsest/mongodb';
import { expect } from 'chai';
import { startChild } from '../../sqlite/test/child-process.ts';
import type { CommandStartedEvent } from 'mongodb';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseOn, type TestDatabase } from './database-on-server.ts';
import { openOldServer } from './network/old-server.ts';

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('A MongoDB that cannot be opened', () => {
  it('is unavailable within the time for which a server is looked for', async () => {
    const begun = performance.now();
    const error = await failure(openMongo({ url: 'mongodb://127.0.0.1:1/', serverSelectionMs: 300 }));
    expect(isAppError(error, 'SERVICE_UNAVAILABLE'), String(error)).to.equal(true);
    expect(performance.now() - begun).to.be.below(2_000);
  });

  it('is too old, and says so', async () => {
    const server = await openOldServer(8); // MongoDB 4.2
    try {
      const error = await failure(openMongo({ url: server.url, serverSelectionMs: 300 }));
      expect(isAppError(error)).to.equal(false);
      expect(String(error)).to.match(/too old: version 4\.4 or a newer one/);
    } finally {
      await server.close();
    }
  });
});

describe('The URL of a MongoDB that is not one, or leads nowhere', () => {
  const secret = 'hunter2';
  const urls = [
    `mongodb://user:${secret}@`,
    `mongodb://user:${secret}@no such host/db`,
    `mongodb://user:${secret}@127.0.0.1:99999/db`,
    `mongodb://user:${secret}@127.0.0.1:port/db`,
    `mongodb://user:${secret}@[::1/db`,
    `mongodb://user:${secret}/${secret}@127.0.0.1:1/db`,
    `mongodb://user:${secret}:${secret}@127.0.0.1:1/db`,
    `mongodb://user:${secret}?${secret}@127.0.0.1:1/db`,
    `mongodb://user:${secret}%zz@127.0.0.1:1/db`,
    `mongodb://user:x@${secret}@127.0.0.1:1/db`,
    `mongodb://us/er:${secret}@127.0.0.1:1/db`,
    `mongodb://user:${secret}@127.0.0.1:1/db?nonsense=1`,
    `mongodb://user:${secret}@127.0.0.1:1/db?tls=perhaps`,
    `mongodb://user:${secret}@127.0.0.1:1/db?authMechanism=none`,
    `mongodb://user:${secret}@127.0.0.1:1/db?tls=true&tls=false`,
    `mongodb://user:${secret}@127.0.0.1:1/a$b`,
    `mongodb://user:${secret}@127.0.0.1:1/db`,
    `mongodb+srv://user:${secret}@a.b.invalid:1/db`,
  ];
  for (const url of urls) {
    it(`keeps its password to itself: ${url}`, async () => {
      const error = await failure(openMongo({ url, serverSelectionMs: 100 }));
      expect(error).to.be.an('error');
      expect(inspect(error, { depth: Infinity, showHidden: true })).to.not.contain(secret);
    });
  }
});

await describeOnMongo('Opening a MongoDB', (server) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await databaseOn(server);
  });
  afterEach(() => database.drop());

  it('makes all indexes once, for processes that open it at the same moment too', async function () {
    this.timeout(60_000);
    const children = [0, 1, 2, 3].map(() => startChild(new URL('open.child.ts', import.meta.url), database.url));
    await Promise.all(children.map((child) => child.printed(1)));
    for (const child of children) child.go();
    await Promise.all(children.map((child) => child.ended()));
    const { documents } = await database.open();
    for (const child of children) expect((await documents.find(child.lines[1] ?? ''))?.id).to.equal(child.lines[1]);
    const { db } = await database.connect();
    const names = (await db.collection('documents').listIndexes().toArray()).map(({ name }) => String(name));
    expect(names).to.include.members([
      'listed',
      'claimable',
      'claimable_of_owner',
      'claimable_in_order',
      'held',
      'by_blob',
      'unsettled',
    ]);
  });

  const strangers = {
    'other keys': { key: { somethingElse: 1 }, name: 'by_expiry' },
    'other options': { key: { expiresAt: 1 }, name: 'by_expiry', expireAfterSeconds: 60 },
    'another name': { key: { expiresAt: 1 }, name: 'made_by_hand' },
  } as const;
  for (const [what, stranger] of Object.entries(strangers)) {
    it(`names the index that is there with ${what}`, async () => {
      const { db } = await database.connect();
      await db.collection('sessions').createIndexes([stranger]);
      expect(String(await failure(database.open()))).to.match(
        /The index by_expiry of the collection sessions is not the one that is needed/,
      );
    });
  }

  it('leaves a database that it made itself as it is', async () => {
    await database.open();
    const { db } = await database.connect();
    const before = await db.collection('documents').listIndexes().toArray();
    await database.open();
    expect(await db.collection('documents').listIndexes().toArray()).to.deep.equal(before);
  });

  it('waits for the majority and its disks, and reads what they have, whatever the URL says of that', async () => {
    const url = `${database.proxiedUrl}&w=1&journal=false&wtimeoutMS=1&readConcernLevel=local&readPreference=nearest&monitorCommands=true`;
    const mongo = await database.open({ url, socketMs: 9_000 });
    const seen: CommandStartedEvent[] = [];
    mongo.limiterClient.client.on('commandStarted', (event) => seen.push(event));
    await mongo.accounts.verifyEmail('id');
    await mongo.accounts.find('id');
    await mongo.documents.findPurgeable(0, 1);
    const [write, ...reads] = seen.map(({ command }) => command);
    expect(write?.['writeConcern']).to.deep.equal({ w: 'majority', j: true, wtimeout: 4_500 });
    expect(reads).to.have.lengthOf(2);
    for (const read of reads) {
      expect(read['readConcern']).to.deep.equal({ level: 'majority' });
      expect(read['$readPreference']?.mode ?? 'primary').to.equal('primary');
    }
  });

  it('refuses everything once it is closed, as unavailable, and may be closed twice', async () => {
    const mongo = await database.open();
    await mongo.close();
    await mongo.close();
    const calls = [
      mongo.documents.find('id'),
      mongo.documents.check(),
      mongo.accounts.verifyEmail('id'),
      mongo.pages.removeAll('id'),
    ];
    for (const call of calls) {
      const error = await failure(call);
      expect(isAppError(error, 'SERVICE_UNAVAILABLE'), String(error)).to.equal(true);
    }
  });
});
