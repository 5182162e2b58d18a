import { MemorySessionRepository } from '@palimpsest/memory';
import { describeSessionRepository } from '../../src/index.ts';
import { describeStoreMutants, foldKeys, nextTurn, wholeMs } from './mutant.ts';

describeStoreMutants('SessionRepository', describeSessionRepository, (store) => new MemorySessionRepository(store), {
  'overwrites a session that has the same id': (_original, { sessions }) => ({
    add: async (session) => void sessions.set(session.id, { ...session }),
  }),
  'compares ids without regard to case': (_original, { sessions }) => {
    foldKeys(sessions);
    return {};
  },
  'stores whole milliseconds only': (original) => ({
    add: (session) => original.add({ ...session, createdAt: wholeMs(session.createdAt) }),
  }),
  'does not find a session by a used token': (original) => ({
    findByRefreshToken: async (digest) => {
      const found = await original.findByRefreshToken(digest);
      return found?.usedAt === undefined ? found : undefined;
    },
  }),
  'remembers only the last used token of a session': (original, { usedRefreshTokens }) => ({
    rotate: async (id, rotation) => {
      const rotated = await original.rotate(id, rotation);
      for (const [digest, used] of usedRefreshTokens) {
        if (rotated && used.sessionId === id && digest !== rotation.from) usedRefreshTokens.delete(digest);
      }
      return rotated;
    },
  }),
  'rotates with any given token': (original, { sessions }) => ({
    rotate: (id, rotation) =>
      original.rotate(id, { ...rotation, from: sessions.get(id)?.refreshTokenDigest ?? rotation.from }),
  }),
  'compares the token and rotates later, not atomically': (original, { sessions }) => ({
    rotate: async (id, rotation) => {
      if (sessions.get(id)?.refreshTokenDigest !== rotation.from) return false;
      await nextTurn();
      const from = sessions.get(id)?.refreshTokenDigest ?? rotation.from;
      return await original.rotate(id, { ...rotation, from });
    },
  }),
  'restores a session that ends while it is rotated': (original, { sessions }) => ({
    rotate: async (id, rotation) => {
      const session = sessions.get(id);
      if (session?.refreshTokenDigest !== rotation.from) return false;
      await nextTurn();
      if (!sessions.has(id)) sessions.set(id, session);
      return await original.rotate(id, rotation);
    },
  }),
  'keeps the old expiry on rotation': (original, { sessions }) => ({
    rotate: (id, rotation) =>
      original.rotate(id, { ...rotation, expiresAt: sessions.get(id)?.expiresAt ?? rotation.expiresAt }),
  }),
  'throws when it ends an absent session': (original, { sessions }) => ({
    remove: async (id) => {
      if (!sessions.has(id)) throw new Error('not found');
      await original.remove(id);
    },
  }),
  'ends the excepted session too': (original) => ({ removeAllOf: (accountId) => original.removeAllOf(accountId) }),
  'ends at most 100 sessions of an account': (original, { sessions }) => ({
    removeAllOf: async (accountId, exceptId) => {
      const theirs = [...sessions.values()].filter((one) => one.accountId === accountId && one.id !== exceptId);
      for (const { id } of theirs.slice(0, 100)) await original.remove(id);
    },
  }),
  'removes expired sessions one microsecond early': (original) => ({
    removeExpired: (now) => original.removeExpired(now + 1),
  }),
  'never removes used tokens': (original, { usedRefreshTokens }) => ({
    removeExpired: async (now) => {
      const before = [...usedRefreshTokens];
      const count = await original.removeExpired(now);
      for (const [digest, used] of before) usedRefreshTokens.set(digest, used);
      return count;
    },
  }),
});
