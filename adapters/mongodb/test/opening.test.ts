import { mock } from 'node:test';
import { inspect } from 'node:util';
import { isAppError } from '@palimpsest/core';
import { openMongo } from '@palimpsest/mongodb';
import { expect } from 'chai';
import type { CommandStartedEvent } from 'mongodb';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseOn, type TestDatabase } from './database-on-server.ts';
import { openOldServer } from './network/old-server.ts';
import { rejectionOf } from '../../../test/expectations.ts';

describe('openMongo with an unusable server', () => {
  it('throws SERVICE_UNAVAILABLE if no server is found', async () => {
    const error = await rejectionOf(openMongo({ url: 'mongodb://127.0.0.1:1/', serverSelectionMs: 300 }));
    expect(isAppError(error, 'SERVICE_UNAVAILABLE'), String(error)).to.equal(true);
  });

  it('throws an error that names the required version if the server is too old', async () => {
    const server = await openOldServer(8); // MongoDB 4.2
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const opening = rejectionOf(openMongo({ url: server.url, serverSelectionMs: 60_000 }));
      await server.rejected;
      mock.timers.tick(60_000);
      const error = await opening;
      expect(isAppError(error)).to.equal(false);
      expect(String(error)).to.match(/too old: version 4\.4 or newer is required/);
    } finally {
      mock.timers.reset();
      await server.close();
    }
  });
});

describe('openMongo with an invalid or unreachable URL', () => {
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
    it(`does not reveal the password in the error: ${url}`, async () => {
      const error = await rejectionOf(openMongo({ url, serverSelectionMs: 100 }));
      expect(error).to.be.an('error');
      expect(inspect(error, { depth: Infinity, showHidden: true })).to.not.contain(secret);
    });
  }
});

await describeOnMongo('openMongo', (server) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await databaseOn(server);
  });
  afterEach(() => database.drop());

  const conflictingIndexes = {
    'other keys': { key: { somethingElse: 1 }, name: 'by_expiry' },
    'other options': { key: { expiresAt: 1 }, name: 'by_expiry', expireAfterSeconds: 60 },
    'another name': { key: { expiresAt: 1 }, name: 'made_by_hand' },
  } as const;
  for (const [difference, index] of Object.entries(conflictingIndexes)) {
    it(`throws an error that names an existing index with ${difference}`, async () => {
      const { db } = await database.connect();
      await db.collection('sessions').createIndexes([index]);
      expect(String(await rejectionOf(database.open()))).to.match(
        /The collection sessions has a conflicting index: an index named by_expiry/,
      );
    });
  }

  it('changes no index of a database that it has opened before', async () => {
    await database.open();
    const { db } = await database.connect();
    const before = await db.collection('documents').listIndexes().toArray();
    await database.open();
    expect(await db.collection('documents').listIndexes().toArray()).to.deep.equal(before);
  });

  it('uses write concern majority with journal and read concern majority, even if the URL has other options', async () => {
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

  it('throws SERVICE_UNAVAILABLE for every call after close, and a second close succeeds', async () => {
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
      const error = await rejectionOf(call);
      expect(isAppError(error, 'SERVICE_UNAVAILABLE'), String(error)).to.equal(true);
    }
  });
});
