import {
  aDocument,
  aKeyedRequest,
  anAccount,
  anAccountToken,
  aPage,
  aProcessingDocument,
  aSession,
  at,
  sampleDigest,
} from '@palimpsest/contract-tests';
import type { Mongo } from '@palimpsest/mongodb';
import { expect } from 'chai';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseForSuite } from '../database-on-server.ts';
import { openSlowMajority } from './slow-majority.ts';

/** A change, its result, and the stored data after it. */
interface Change {
  readonly prepare?: (mongo: Mongo) => Promise<unknown>;
  readonly call: (mongo: Mongo) => Promise<unknown>;
  readonly result: unknown;
  readonly read: (mongo: Mongo) => Promise<unknown>;
  readonly stored: unknown;
}

const queued = aDocument({ ownerId: 'first' });
const other = aDocument({ ownerId: 'second', receivedAt: at(9) });
const lease = { token: 'run', claimedAt: at(0), expiresAt: at(30) };
const held = aProcessingDocument({ id: queued.id, ownerId: 'first', run: 'run', lease, version: 2 });
const renewed = { ...held, lease: { ...lease, expiresAt: at(40) }, version: 3 };
const account = anAccount();
const session = aSession();
const rotation = { from: session.refreshTokenDigest, to: sampleDigest(), usedAt: at(1), expiresAt: at(7200) };
const token = anAccountToken();
const newer = anAccountToken({ requestedAt: at(5) });
const request = aKeyedRequest();
const { words: _, ...page } = aPage();
const secondPage = aPage({ number: 2, text: 'other' });
const { words: __, ...secondWithoutWords } = secondPage;

const changes: Readonly<Record<string, Change>> = {
  'adds a document': {
    call: ({ documents }) => documents.add(queued),
    result: undefined,
    read: ({ documents }) => documents.find(queued.id),
    stored: queued,
  },
  'claims a document and records the service of its owner': {
    prepare: async ({ documents }) => {
      for (const document of [queued, other, aDocument({ ownerId: 'first' })]) await documents.add(document);
    },
    call: ({ documents }) => documents.replace(held),
    result: true,
    read: async ({ documents }) => {
      await documents.replace({ ...queued, status: 'failed', processedAt: at(1), errorMessage: 'over', version: 3 });
      return (await documents.nextClaimable(at(10)))?.ownerId;
    },
    stored: 'second',
  },
  'renews a lease': {
    prepare: async ({ documents }) => {
      await documents.add(queued);
      await documents.replace(held);
    },
    call: ({ documents }) => documents.replace(renewed),
    result: true,
    read: ({ documents }) => documents.find(queued.id),
    stored: renewed,
  },
  'removes a document': {
    prepare: ({ documents }) => documents.add(queued),
    call: ({ documents }) => documents.remove(queued.id),
    result: undefined,
    read: ({ documents }) => documents.find(queued.id),
    stored: undefined,
  },
  'stores a page': {
    prepare: ({ pages }) => pages.put('d', 'run', aPage({ text: 'before' })),
    call: ({ pages }) => pages.put('d', 'run', aPage()),
    result: undefined,
    read: ({ pages }) => pages.list('d', 'run'),
    stored: [page],
  },
  'adopts pages': {
    prepare: async ({ pages }) => {
      await pages.put('d', 'old', aPage());
      await pages.put('d', 'new', secondPage);
    },
    call: ({ pages }) => pages.adopt('d', 'new'),
    result: [1, 2],
    read: async ({ pages }) => [await pages.list('d', 'old'), await pages.list('d', 'new')],
    stored: [[], [page, secondWithoutWords]],
  },
  'removes the pages of other runs': {
    prepare: async ({ pages }) => {
      await pages.put('d', 'old', aPage());
      await pages.put('d', 'new', secondPage);
    },
    call: ({ pages }) => pages.removeOthers('d', 'new'),
    result: undefined,
    read: async ({ pages }) => [await pages.list('d', 'old'), await pages.list('d', 'new')],
    stored: [[], [secondWithoutWords]],
  },
  'appends a revision': {
    call: ({ revisions }) => revisions.append('d', { revisedAt: at(0), text: 'text' }, 0),
    result: { number: 1, revisedAt: at(0), text: 'text' },
    read: ({ revisions }) => revisions.list('d'),
    stored: [{ number: 1, revisedAt: at(0), text: 'text' }],
  },
  'adds an account': {
    call: ({ accounts }) => accounts.add(account),
    result: true,
    read: ({ accounts }) => accounts.findByEmail(account.email),
    stored: account,
  },
  'changes a password': {
    prepare: ({ accounts }) => accounts.add(account),
    call: ({ accounts }) => accounts.changePassword(account.id, account.passwordHash, 'another'),
    result: true,
    read: ({ accounts }) => accounts.find(account.id),
    stored: { ...account, passwordHash: 'another' },
  },
  'closes an account': {
    prepare: ({ accounts }) => accounts.add(account),
    call: ({ accounts }) => accounts.close(account.id, at(3)),
    result: undefined,
    read: ({ accounts }) => accounts.closed(),
    stored: [{ id: account.id, closedAt: at(3) }],
  },
  'adds a session': {
    call: ({ sessions }) => sessions.add(session),
    result: undefined,
    read: ({ sessions }) => sessions.find(session.id),
    stored: session,
  },
  'rotates a refresh token': {
    prepare: ({ sessions }) => sessions.add(session),
    call: ({ sessions }) => sessions.rotate(session.id, rotation),
    result: true,
    read: ({ sessions }) => sessions.findByRefreshToken(rotation.from),
    stored: { session: { ...session, refreshTokenDigest: rotation.to, expiresAt: rotation.expiresAt }, usedAt: at(1) },
  },
  'removes expired sessions': {
    prepare: ({ sessions }) => sessions.add(session),
    call: ({ sessions }) => sessions.removeExpired(session.expiresAt),
    result: 1,
    read: ({ sessions }) => sessions.find(session.id),
    stored: undefined,
  },
  'removes expired used tokens': {
    prepare: async ({ sessions }) => {
      await sessions.add({ ...session, expiresAt: at(5) });
      await sessions.rotate(session.id, rotation);
    },
    call: ({ sessions }) => sessions.removeExpired(at(6)),
    result: 0,
    read: async ({ sessions }) => [
      await sessions.findByRefreshToken(rotation.from),
      (await sessions.findByRefreshToken(rotation.to))?.session.id,
    ],
    stored: [undefined, session.id],
  },
  'issues an account token': {
    prepare: ({ accountTokens }) => accountTokens.issue(token),
    call: ({ accountTokens }) => accountTokens.issue(newer),
    result: true,
    read: async ({ accountTokens }) => [
      await accountTokens.find(token.digest, token.purpose),
      await accountTokens.find(newer.digest, newer.purpose),
    ],
    stored: [undefined, newer],
  },
  'spends an account token': {
    prepare: ({ accountTokens }) => accountTokens.issue(token),
    call: ({ accountTokens }) => accountTokens.spend(token.digest, token.purpose),
    result: true,
    read: ({ accountTokens }) => accountTokens.spend(token.digest, token.purpose),
    stored: false,
  },
  'begins a keyed request': {
    call: ({ idempotency }) => idempotency.begin(request, at(0)),
    result: { kind: 'begun', resourceId: request.resourceId },
    read: ({ idempotency }) => idempotency.begin(request, at(1)),
    stored: { kind: 'held', until: request.heldUntil },
  },
  'takes over a keyed request': {
    prepare: ({ idempotency }) => idempotency.begin(request, at(0)),
    call: ({ idempotency }) =>
      idempotency.begin({ ...request, resourceId: 'next', heldUntil: at(900) }, request.heldUntil),
    result: { kind: 'begun', resourceId: request.resourceId },
    read: ({ idempotency }) => idempotency.begin(request, request.heldUntil),
    stored: { kind: 'held', until: at(900) },
  },
  'counts a mail attempt': {
    prepare: ({ mailLedger }) => mailLedger.begin('mail', at(0)),
    call: ({ mailLedger }) => mailLedger.begin('mail', at(1)),
    result: { attempts: 2, firstAttemptAt: at(0), outcome: undefined },
    read: ({ mailLedger }) => mailLedger.begin('mail', at(2)),
    stored: { attempts: 3, firstAttemptAt: at(0), outcome: undefined },
  },
  'finishes a mail': {
    prepare: ({ mailLedger }) => mailLedger.begin('mail', at(0)),
    call: ({ mailLedger }) => mailLedger.finish('mail', 'sent'),
    result: undefined,
    read: async ({ mailLedger }) => (await mailLedger.begin('mail', at(2))).outcome,
    stored: 'sent',
  },
};

const faults = {
  'before the server receives a command': 'command',
  'before the client receives an answer': 'answer',
} as const;

await describeOnMongo('A MongoDB connection that breaks', (server) => {
  const database = databaseForSuite(server);

  // Without the retries of the driver, as on a standalone server.
  for (const [when, lost] of Object.entries(faults)) {
    for (const [what, { prepare, call, result, read, stored }] of Object.entries(changes)) {
      it(`${when}: the repository ${what} exactly once, for every command of the call`, async function () {
        this.timeout(30_000);
        const { proxiedUrl } = database();
        for (let passed = 0; ; passed++) {
          const mongo = await database().open({ url: `${proxiedUrl}&retryWrites=false` });
          await prepare?.(mongo);
          database().loseAfter(passed, lost);
          expect(await call(mongo), `with ${passed} commands before`).to.deep.equal(result);
          const wasLost = database().hasLost();
          expect(await read(mongo), `with ${passed} commands before`).to.deep.equal(stored);
          await database().closeAll();
          await database().clear();
          if (!wasLost) break;
          expect(passed, 'the number of commands of one call').to.be.below(50);
        }
      });
    }
  }
});

await describeOnMongo('A MongoDB majority that does not confirm a write in time', (server) => {
  const database = databaseForSuite(server);

  for (const [what, { prepare, call, result, read, stored }] of Object.entries(changes)) {
    it(`the repository ${what} exactly once and waits for the majority again, for every write of the call`, async function () {
      this.timeout(30_000);
      const slow = await openSlowMajority(database().url);
      try {
        for (let passed = 0; ; passed++) {
          const mongo = await database().open({ url: slow.url });
          await prepare?.(mongo);
          slow.timeOutAfter(passed);
          expect(await call(mongo), `with ${passed} writes before`).to.deep.equal(result);
          const writes = slow.writes();
          slow.timeOutAfter(Infinity);
          expect(await read(mongo), `with ${passed} writes before`).to.deep.equal(stored);
          await database().closeAll();
          await database().clear();
          if (writes <= passed) break;
          expect(writes, 'the number of writes, with at least one after the unconfirmed write').to.be.above(passed + 1);
        }
      } finally {
        await slow.close();
      }
    });
  }
});
