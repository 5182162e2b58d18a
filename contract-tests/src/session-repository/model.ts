import type { SessionRepository } from '@palimpsest/core';
import { type OperationModel, operation } from '../kit/cross-check.ts';
import { PERIOD_SECONDS, aTime, anAccountId, anyAccountId, countTrue } from '../kit/model-inputs.ts';
import type { Random } from '../kit/random.ts';
import { at, unknownIds } from '../kit/samples.ts';

/** Random operations on sessions. Each token has a new digest. */
export const sessionModel: OperationModel<SessionRepository> = () => {
  let digests = 0;
  const newDigest = (): string => `digest-${++digests}`;
  const aDigest = (random: Random): string =>
    random.oneIn(8) ? random.pick(unknownIds) : `digest-${Math.max(1, digests - random.below(12))}`;
  const session = (random: Random): string => `session-${random.below(5)}`;
  const rotation = (random: Random) => ({ to: newDigest(), usedAt: aTime(random), expiresAt: aTime(random) });
  const currentDigest = async (sessions: SessionRepository, id: string): Promise<string> =>
    (await sessions.find(id))?.refreshTokenDigest ?? '';
  return {
    add: operation(
      (random) => ({
        id: session(random),
        accountId: anAccountId(random),
        refreshTokenDigest: newDigest(),
        createdAt: aTime(random),
        expiresAt: aTime(random),
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
    'rotate the current token': operation(
      (random) => ({ id: session(random), ...rotation(random) }),
      async (sessions, { id, ...given }) => sessions.rotate(id, { from: await currentDigest(sessions, id), ...given }),
      4,
    ),
    'rotate by two candidates': operation(
      (random) => ({ id: session(random), ...rotation(random) }),
      async (sessions, { id, ...given }) => {
        const from = await currentDigest(sessions, id);
        return await countTrue([sessions.rotate(id, { from, ...given }), sessions.rotate(id, { from, ...given })]);
      },
    ),
    remove: operation(session, (sessions, id) => sessions.remove(id)),
    removeAllOf: operation(
      (random) => ({ account: anyAccountId(random), except: random.oneIn(2) ? session(random) : undefined }),
      (sessions, { account, except }) => sessions.removeAllOf(account, except),
    ),
    removeExpired: operation(
      (random) => at(random.below(PERIOD_SECONDS / 3)),
      (sessions, now) => sessions.removeExpired(now),
    ),
  };
};
