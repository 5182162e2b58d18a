import type {
  AccountRepository,
  AccountTokenRepository,
  IdempotencyRepository,
  MailLedger,
  SessionRepository,
} from '@palimpsest/core';
import { threw, type FaultCase } from './kit/fault-cases.ts';
import { aKeyedRequest, anAccount, anAccountToken, aSession, at } from './kit/samples.ts';

const [reader, newcomer] = [anAccount(), anAccount()];
const hash = `${reader.passwordHash}new`;

export const accountFaultCases: readonly FaultCase<AccountRepository>[] = [
  {
    what: 'storing an account',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.add(newcomer),
    first: true,
    again: [false, threw('TypeError')],
    look: async (accounts) => [await accounts.find(reader.id), await accounts.findByEmail(newcomer.email)],
    before: [reader, undefined],
    after: [reader, newcomer],
  },
  {
    what: 'a new password',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.changePassword(reader.id, reader.passwordHash, hash),
    first: true,
    again: [false],
    look: (accounts) => accounts.find(reader.id),
    before: reader,
    after: { ...reader, passwordHash: hash },
  },
  {
    what: 'finding an account by its address',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.findByEmail(reader.email),
    first: reader,
    look: (accounts) => accounts.find(reader.id),
    before: reader,
    after: reader,
  },
  {
    what: 'closing an account',
    prepare: (accounts) => accounts.add(reader),
    call: (accounts) => accounts.close(reader.id, at(1)),
    first: undefined,
    look: async (accounts) => [await accounts.closed(), await accounts.findByEmail(reader.email)],
    before: [[], reader],
    after: [[{ id: reader.id, closedAt: at(1) }], undefined],
  },
];

const session = aSession();
const other = aSession();
const rotation = { from: session.refreshTokenDigest, to: 'digest-of-the-next', usedAt: at(1), expiresAt: at(7200) };
const rotated = { ...session, refreshTokenDigest: rotation.to, expiresAt: at(7200) };

export const sessionFaultCases: readonly FaultCase<SessionRepository>[] = [
  {
    what: 'storing a session',
    prepare: (sessions) => sessions.add(session),
    call: (sessions) => sessions.add(other),
    first: undefined,
    again: [threw('TypeError')],
    look: async (sessions) => [await sessions.find(session.id), await sessions.find(other.id)],
    before: [session, undefined],
    after: [session, other],
  },
  {
    what: 'the rotation of a refresh token',
    prepare: (sessions) => sessions.add(session),
    call: (sessions) => sessions.rotate(session.id, rotation),
    first: true,
    again: [false],
    look: async (sessions) => [
      await sessions.findByRefreshToken(rotation.from),
      await sessions.findByRefreshToken(rotation.to),
    ],
    after: [
      { session: rotated, usedAt: at(1) },
      { session: rotated, usedAt: undefined },
    ],
  },
  {
    what: 'finding a session by its token',
    prepare: (sessions) => sessions.add(session),
    call: (sessions) => sessions.findByRefreshToken(session.refreshTokenDigest),
    first: { session, usedAt: undefined },
    look: (sessions) => sessions.find(session.id),
    before: session,
    after: session,
  },
  {
    what: 'the end of a session',
    prepare: async (sessions) => {
      await sessions.add(session);
      await sessions.add(other);
    },
    call: (sessions) => sessions.remove(session.id),
    first: undefined,
    look: async (sessions) => [await sessions.find(session.id), await sessions.find(other.id)],
    before: [session, other],
    after: [undefined, other],
  },
];

const token = anAccountToken();
const nextToken = anAccountToken({ requestedAt: at(10), expiresAt: at(7200) });

export const accountTokenFaultCases: readonly FaultCase<AccountTokenRepository>[] = [
  {
    what: 'a new token in the place of an older one',
    prepare: (tokens) => tokens.issue(token),
    call: (tokens) => tokens.issue(nextToken),
    first: true,
    look: async (tokens) => [
      await tokens.find(token.digest, token.purpose),
      await tokens.find(nextToken.digest, token.purpose),
    ],
    after: [undefined, nextToken],
  },
  {
    what: 'the use of a token',
    prepare: (tokens) => tokens.issue(token),
    call: (tokens) => tokens.spend(token.digest, token.purpose),
    first: true,
    again: [false],
    look: (tokens) => tokens.find(token.digest, token.purpose),
    before: token,
    after: undefined,
  },
  {
    what: 'finding a token',
    prepare: (tokens) => tokens.issue(token),
    call: (tokens) => tokens.find(token.digest, token.purpose),
    first: token,
    look: (tokens) => tokens.find(token.digest, token.purpose),
    before: token,
    after: token,
  },
];

const request = aKeyedRequest();

export const idempotencyFaultCases: readonly FaultCase<IdempotencyRepository>[] = [
  {
    what: 'the beginning of a keyed request',
    call: (keys) => keys.begin(request, at(0)),
    first: { kind: 'begun', resourceId: request.resourceId },
    again: [{ kind: 'held', until: request.heldUntil }],
    look: (keys) => keys.begin({ ...request, fingerprint: 'another' }, at(1)),
    after: { kind: 'other' },
  },
  {
    what: 'the answer of a keyed request',
    prepare: (keys) => keys.begin(request, at(0)),
    call: (keys) => keys.answer(request.accountId, request.key, '201 Created'),
    first: undefined,
    look: (keys) => keys.begin(request, at(1)),
    before: { kind: 'held', until: request.heldUntil },
    after: { kind: 'answered', answer: '201 Created' },
  },
  {
    what: 'finding the answer of a keyed request',
    prepare: async (keys) => {
      await keys.begin(request, at(0));
      await keys.answer(request.accountId, request.key, '201 Created');
    },
    call: (keys) => keys.begin(request, at(1)),
    first: { kind: 'answered', answer: '201 Created' },
    look: (keys) => keys.begin(request, at(1)),
    before: { kind: 'answered', answer: '201 Created' },
    after: { kind: 'answered', answer: '201 Created' },
  },
];

const attempts = (count: number) => ({ attempts: count, firstAttemptAt: at(0), outcome: undefined });

export const mailLedgerFaultCases: readonly FaultCase<MailLedger>[] = [
  {
    what: 'the count of an attempt at a mail',
    call: (mails) => mails.begin('mail-1', at(0)),
    first: attempts(1),
    again: [attempts(2)],
    look: async (mails) => (await mails.begin('mail-1', at(1))).firstAttemptAt,
    after: at(0),
  },
  {
    what: 'the end of a mail',
    prepare: (mails) => mails.begin('mail-1', at(0)),
    call: (mails) => mails.finish('mail-1', 'sent'),
    first: undefined,
    look: async (mails) => (await mails.begin('mail-1', at(1))).outcome,
    before: undefined,
    after: 'sent',
  },
];
