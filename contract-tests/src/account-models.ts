import type {
  AccountRepository,
  AccountTokenRepository,
  IdempotencyRepository,
  MailLedger,
  SessionRepository,
  TokenPurpose,
} from '@palimpsest/core';
import { operation, type OperationModel } from './kit/cross-check.ts';
import type { Random } from './kit/random.ts';
import { at, sampleId, strangeTexts, unknownIds } from './kit/samples.ts';

const ACCOUNTS = ['account-1', 'account-2', '$ne', '{"$gt":""}', sampleId(5)];
const EMAILS = ['a@example.org', 'b@example.org', 'a.b@example.org', 'ab@example.org'];
const HASHES = ['hash-1', 'hash-2', 'hash-3'];
const PURPOSES: readonly TokenPurpose[] = ['verify-email', 'reset-password'];
const DAY = 100; // seconds in which everything happens

const anAccountId = (random: Random): string => random.pick(ACCOUNTS);
const anyAccountId = (random: Random): string => (random.oneIn(5) ? random.pick(unknownIds) : anAccountId(random));
const aMoment = (random: Random): number => at(random.below(DAY));

/** How many of the calls gave `true`. */
const howManyTrue = async (calls: readonly Promise<boolean>[]): Promise<number> =>
  (await Promise.all(calls)).filter(Boolean).length;

/** Operations on accounts. Where both id and address are taken, either refusal is right. */
export const accountModel: OperationModel<AccountRepository> = () => {
  let closings = 0;
  return {
    add: operation(
      (random) => ({
        id: random.oneIn(6) ? random.pick(strangeTexts) : anAccountId(random),
        email: random.pick(EMAILS),
        passwordHash: random.pick(HASHES),
        emailVerified: random.oneIn(2),
        createdAt: aMoment(random),
      }),
      async (accounts, account) => {
        const isTaken = (await accounts.findByEmail(account.email)) !== undefined;
        try {
          return await accounts.add(account);
        } catch (error) {
          if (isTaken && error instanceof TypeError) return false;
          throw error;
        }
      },
      4,
    ),
    find: operation(anyAccountId, (accounts, id) => accounts.find(id), 2),
    findByEmail: operation(
      (random) => (random.oneIn(5) ? random.pick(unknownIds) : random.pick(EMAILS)),
      (accounts, email) => accounts.findByEmail(email),
      2,
    ),
    verifyEmail: operation(anyAccountId, (accounts, id) => accounts.verifyEmail(id)),
    changePassword: operation(
      (random) => ({ id: anyAccountId(random), from: random.pick(HASHES), to: random.pick(HASHES) }),
      (accounts, { id, from, to }) => accounts.changePassword(id, from, to),
      3,
    ),
    'changePassword by two rivals': operation(
      (random) => ({ id: anAccountId(random), to: `${random.pick(HASHES)}+` }),
      async (accounts, { id, to }) => {
        const from = (await accounts.find(id))?.passwordHash ?? '';
        if (from === to) return 'alike';
        return await howManyTrue([accounts.changePassword(id, from, to), accounts.changePassword(id, from, to)]);
      },
    ),
    close: operation(
      (random) => ({ id: anyAccountId(random), closedAt: at(DAY + ++closings) }), // none at the same moment as another
      (accounts, { id, closedAt }) => accounts.close(id, closedAt),
    ),
    closed: operation(
      () => undefined,
      (accounts) => accounts.closed(),
    ),
    forget: operation(anyAccountId, (accounts, id) => accounts.forget(id)),
  };
};

/** Operations on sessions. No digest is given to two tokens. */
export const sessionModel: OperationModel<SessionRepository> = () => {
  let digests = 0;
  const newDigest = (): string => `digest-${++digests}`;
  const aDigest = (random: Random): string =>
    random.oneIn(8) ? random.pick(unknownIds) : `digest-${Math.max(1, digests - random.below(12))}`;
  const session = (random: Random): string => `session-${random.below(5)}`;
  const rotation = (random: Random) => ({ to: newDigest(), usedAt: aMoment(random), expiresAt: aMoment(random) });
  const inForce = async (sessions: SessionRepository, id: string): Promise<string> =>
    (await sessions.find(id))?.refreshTokenDigest ?? '';
  return {
    add: operation(
      (random) => ({
        id: session(random),
        accountId: anAccountId(random),
        refreshTokenDigest: newDigest(),
        createdAt: aMoment(random),
        expiresAt: aMoment(random),
      }),
      (sessions, given) => sessions.add(given),
      4,
    ),
    find: operation(
      (random) => (random.oneIn(6) ? random.pick(unknownIds) : session(random)),
      (sessions, id) => sessions.find(id),
      2,
    ),
    findByRefreshToken: operation(aDigest, (sessions, digest) => sessions.findByRefreshToken(digest), 4),
    rotate: operation(
      (random) => ({ id: session(random), from: aDigest(random), ...rotation(random) }),
      (sessions, { id, ...given }) => sessions.rotate(id, given),
      2,
    ),
    'rotate the token in force': operation(
      (random) => ({ id: session(random), ...rotation(random) }),
      async (sessions, { id, ...given }) => sessions.rotate(id, { from: await inForce(sessions, id), ...given }),
      4,
    ),
    'rotate by two rivals': operation(
      (random) => ({ id: session(random), ...rotation(random) }),
      async (sessions, { id, ...given }) => {
        const from = await inForce(sessions, id);
        return await howManyTrue([sessions.rotate(id, { from, ...given }), sessions.rotate(id, { from, ...given })]);
      },
    ),
    remove: operation(session, (sessions, id) => sessions.remove(id)),
    removeAllOf: operation(
      (random) => ({ account: anyAccountId(random), except: random.oneIn(2) ? session(random) : undefined }),
      (sessions, { account, except }) => sessions.removeAllOf(account, except),
    ),
    removeExpired: operation(
      (random) => at(random.below(DAY / 3)),
      (sessions, now) => sessions.removeExpired(now),
    ),
  };
};

/** Operations on mailed tokens. A digest belongs to one account, purpose and moment. */
export const accountTokenModel: OperationModel<AccountTokenRepository> = () => {
  const token = (random: Random) => {
    const [accountId, purpose, number] = [anAccountId(random), random.pick(PURPOSES), random.below(8)];
    return { accountId, purpose, digest: `${accountId} ${purpose} ${number}`, requestedAt: at(number) };
  };
  return {
    issue: operation(
      (random) => ({ ...token(random), expiresAt: aMoment(random) }),
      (tokens, given) => tokens.issue(given),
      4,
    ),
    find: operation(token, (tokens, { digest, purpose }) => tokens.find(digest, purpose), 3),
    'find for the other purpose': operation(token, (tokens, { digest, purpose }) =>
      tokens.find(digest, purpose === 'verify-email' ? 'reset-password' : 'verify-email'),
    ),
    'find the unknown': operation(
      (random) => random.pick(unknownIds),
      (tokens, digest) => tokens.find(digest, 'verify-email'),
    ),
    spend: operation(token, (tokens, { digest, purpose }) => tokens.spend(digest, purpose), 2),
    'spend twice at once': operation(token, (tokens, { digest, purpose }) =>
      howManyTrue([tokens.spend(digest, purpose), tokens.spend(digest, purpose)]),
    ),
    removeAllOf: operation(anyAccountId, (tokens, id) => tokens.removeAllOf(id)),
    removeExpired: operation(
      (random) => at(random.below(DAY / 4)),
      (tokens, now) => tokens.removeExpired(now),
    ),
  };
};

/** Operations on keyed requests. */
export const idempotencyModel: OperationModel<IdempotencyRepository> = () => {
  const key = (random: Random) => ({
    accountId: anAccountId(random),
    key: random.pick(['key', 'KEY', 'a b', '$ne', '']),
  });
  const begin = (random: Random) => {
    const now = random.below(DAY);
    const held = now + random.below(20);
    const request = {
      ...key(random),
      fingerprint: random.pick(['one', 'two']),
      resourceId: `resource-${random.below(100)}`,
    };
    return { request: { ...request, heldUntil: at(held), expiresAt: at(held + 10 + random.below(30)) }, now: at(now) };
  };
  return {
    begin: operation(begin, (keys, { request, now }) => keys.begin(request, now), 6),
    'begin twice at once': operation(begin, async (keys, { request, now }) => {
      const states = await Promise.all([keys.begin(request, now), keys.begin(request, now)]);
      return states.map(({ kind }) => kind).toSorted();
    }),
    answer: operation(
      (random) => ({ ...key(random), answer: random.pick(strangeTexts) }),
      (keys, { accountId, key: name, answer }) => keys.answer(accountId, name, answer),
      2,
    ),
    release: operation(key, (keys, { accountId, key: name }) => keys.release(accountId, name)),
    removeAllOf: operation(anyAccountId, (keys, id) => keys.removeAllOf(id)),
    removeExpired: operation(
      (random) => at(random.below(DAY / 3)),
      (keys, now) => keys.removeExpired(now),
    ),
  };
};

/** Operations on the ledger of mails. */
export const mailLedgerModel: OperationModel<MailLedger> = () => {
  const mail = (random: Random): string => (random.oneIn(5) ? random.pick(strangeTexts) : `mail-${random.below(6)}`);
  return {
    begin: operation(
      (random) => ({ id: mail(random), now: aMoment(random) }),
      (mails, { id, now }) => mails.begin(id, now),
      5,
    ),
    'begin twice at once': operation(
      (random) => ({ id: mail(random), now: aMoment(random) }),
      async (mails, { id, now }) => {
        const records = await Promise.all([mails.begin(id, now), mails.begin(id, now)]);
        return records.toSorted((a, b) => a.attempts - b.attempts);
      },
    ),
    finish: operation(
      (random) => ({ id: mail(random), outcome: random.pick(['sent', 'refused', 'dropped'] as const) }),
      (mails, { id, outcome }) => mails.finish(id, outcome),
      2,
    ),
    removeBefore: operation(
      (random) => at(random.below(DAY / 3)),
      (mails, moment) => mails.removeBefore(moment),
    ),
  };
};
