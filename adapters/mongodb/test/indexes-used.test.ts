import {
  aDeletingDocument,
  aDocument,
  aKeyedRequest,
  anAccount,
  anAccountToken,
  aPage,
  aProcessingDocument,
  aSession,
  at,
} from '@palimpsest/contract-tests';
import type { Mongo } from '@palimpsest/mongodb';
import { expect } from 'chai';
import type { CommandStartedEvent, Document as BsonDocument } from 'mongodb';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseForSuite } from './database-on-server.ts';

/** The queries of a command as `find` commands: collection, filter and sort. */
const queriesOf = ({ commandName, command }: CommandStartedEvent): readonly BsonDocument[] => {
  const find = String(command[commandName]);
  switch (commandName) {
    case 'find':
      return [{ find, filter: command['filter'], ...(command['sort'] === undefined ? {} : { sort: command['sort'] }) }];
    case 'findAndModify':
    case 'distinct':
      return [{ find, filter: command['query'] }];
    case 'aggregate':
      return [{ find, filter: command['pipeline'][0].$match }];
    case 'update':
    case 'delete':
      return [command['updates'] ?? command['deletes']].flat().map(({ q }: BsonDocument) => ({ find, filter: q }));
    default:
      return [];
  }
};

const callEveryMethod = async (mongo: Mongo): Promise<void> => {
  const { documents, pages, revisions, accounts, sessions, accountTokens, mailLedger, idempotency } = mongo;
  const document = aDocument({ ownerId: 'owner' });
  await documents.add(document);
  await documents.add(aDocument({ ownerId: 'other' }));
  await documents.add(aDeletingDocument());
  for (let offset = 0; offset < 2; offset++) await documents.list('owner', { limit: 1, offset });
  await documents.nextClaimable(at(0));
  await documents.replace(aProcessingDocument({ id: document.id, ownerId: 'owner', version: 2 }));
  await documents.nextClaimable(at(0));
  await documents.nextClaimable(at(100));
  await documents.findPurgeable(at(0), 10);
  await documents.scan(undefined, 10);
  await documents.scan(document.id, 10);
  await documents.referencedBlobs([document.blobKey]);
  await documents.check();
  for (const run of ['a', 'b']) for (let i = 0; i < 2; i++) await pages.put('d', run, aPage());
  await pages.put('d', 'a', aPage({ number: 2 }));
  await pages.adopt('d', 'b');
  await pages.list('d', 'b');
  await pages.words('d', 'b', 1);
  await pages.removeOthers('d', 'b');
  await pages.removeAll('d');
  for (let i = 0; i < 2; i++) await revisions.append('d', { revisedAt: at(0), text: 'text' });
  await revisions.newest('d');
  await revisions.find('d', 1);
  await revisions.list('d');
  await revisions.removeAll('d');
  const account = anAccount();
  await accounts.add(account);
  await accounts.add(anAccount({ email: account.email }));
  await accounts.findByEmail(account.email);
  await accounts.verifyEmail(account.id);
  await accounts.changePassword(account.id, account.passwordHash, 'another');
  await accounts.close(account.id, at(0));
  await accounts.closed();
  await accounts.forget(account.id);
  const session = aSession();
  await sessions.add(session);
  await sessions.rotate(session.id, {
    from: session.refreshTokenDigest,
    to: 'next',
    usedAt: at(0),
    expiresAt: at(9e6),
  });
  await sessions.findByRefreshToken(session.refreshTokenDigest);
  await sessions.removeAllOf('account-1', session.id);
  await sessions.removeExpired(session.expiresAt);
  await sessions.remove(session.id);
  const token = anAccountToken();
  await accountTokens.issue(token);
  await accountTokens.find(token.digest, token.purpose);
  await accountTokens.spend(token.digest, token.purpose);
  await accountTokens.issue(token);
  await accountTokens.removeExpired(at(0));
  await accountTokens.removeAllOf(token.accountId);
  await mailLedger.begin('mail', at(0));
  await mailLedger.finish('mail', 'sent');
  await mailLedger.begin('mail', at(0));
  await mailLedger.removeBefore(at(9e6));
  const request = aKeyedRequest();
  await idempotency.begin(request, at(0));
  await idempotency.begin(request, request.heldUntil);
  await idempotency.answer(request.accountId, request.key, 'done');
  await idempotency.release(request.accountId, request.key);
  await idempotency.removeExpired(at(0));
  await idempotency.removeAllOf(request.accountId);
  await documents.remove(document.id);
};

await describeOnMongo('The queries of the MongoDB repositories', (server) => {
  const database = databaseForSuite(server);

  it('all use an index: no query scans a collection', async function () {
    this.timeout(60_000);
    const mongo = await database().open({ url: `${database().proxiedUrl}&monitorCommands=true` });
    const queries = new Map<string, BsonDocument>();
    mongo.limiterClient.client.on('commandStarted', (event) => {
      for (const query of queriesOf(event)) queries.set(JSON.stringify(query), query);
    });
    await callEveryMethod(mongo);
    expect(queries.size).to.be.above(60);
    const { db } = await database().connect();
    for (const [text, query] of queries) {
      const { queryPlanner } = await db.command({ explain: query, verbosity: 'queryPlanner' });
      expect(JSON.stringify(queryPlanner.winningPlan), text).to.not.contain('COLLSCAN');
    }
  });
});
