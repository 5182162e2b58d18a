import { MemorySessionRepository } from '@palimpsest/memory';
import { describeSessionRepository } from '../../src/index.ts';
import { describeStoreMutants, foldKeys, turn, wholeMs } from './mutant.ts';

describeStoreMutants('SessionRepository', describeSessionRepository, (store) => new MemorySessionRepository(store), {
  'overwrites a session that has the same id': (_sound, { sessions }) => ({
    add: async (session) => void sessions.set(session.id, { ...session }),
  }),
  'compares ids without regard to case': (_sound, { sessions }) => {
    foldKeys(sessions);
    return {};
  },
  'stores whole milliseconds only': (sound) => ({
    add: (session) => sound.add({ ...session, createdAt: wholeMs(session.createdAt) }),
  }),
  'does not find a session by a used token': (sound) => ({
    findByRefreshToken: async (digest) => {
      const found = await sound.findByRefreshToken(digest);
      return found?.usedAt === undefined ? found : undefined;
    },
  }),
  'remembers only the last used token of a session': (sound, { usedRefreshTokens }) => ({
    rotate: async (id, rotation) => {
      const rotated = await sound.rotate(id, rotation);
      for (const [digest, used] of usedRefreshTokens) {
        if (rotated && used.sessionId === id && digest !== rotation.from) usedRefreshTokens.delete(digest);
      }
      return rotated;
    },
  }),
  'rotates whatever token is given': (sound, { sessions }) => ({
    rotate: (id, rotation) =>
      sound.rotate(id, { ...rotation, from: sessions.get(id)?.refreshTokenDigest ?? rotation.from }),
  }),
  'compares the token and rotates later, not atomically': (sound, { sessions }) => ({
    rotate: async (id, rotation) => {
      if (sessions.get(id)?.refreshTokenDigest !== rotation.from) return false;
      await turn();
      const from = sessions.get(id)?.refreshTokenDigest ?? rotation.from;
      return await sound.rotate(id, { ...rotation, from });
    },
  }),
  'restores a session that ends while it is rotated': (sound, { sessions }) => ({
    rotate: async (id, rotation) => {
      const session = sessions.get(id);
      if (session?.refreshTokenDigest !== rotation.from) return false;
      await turn();
      if (!sessions.has(id)) sessions.set(id, session);
      return await sound.rotate(id, rotation);
    },
  }),
  'keeps the old expiry on rotation': (sound, { sessions }) => ({
    rotate: (id, rotation) =>
      sound.rotate(id, { ...rotation, expiresAt: sessions.get(id)?.expiresAt ?? rotation.expiresAt }),
  }),
  'throws when it ends an absent session': (sound, { sessions }) => ({
    remove: async (id) => {
      if (!sessions.has(id)) throw new Error('not found');
      await sound.remove(id);
    },
  }),
  'ends the session that should stay': (sound) => ({ removeAllOf: (accountId) => sound.removeAllOf(accountId) }),
  'ends at most 100 sessions of an account': (sound, { sessions }) => ({
    removeAllOf: async (accountId, exceptId) => {
      const theirs = [...sessions.values()].filter((one) => one.accountId === accountId && one.id !== exceptId);
      for (const { id } of theirs.slice(0, 100)) await sound.remove(id);
    },
  }),
  'removes expired sessions one microsecond early': (sound) => ({
    removeExpired: (now) => sound.removeExpired(now + 1),
  }),
  'never forgets used tokens': (sound, { usedRefreshTokens }) => ({
    removeExpired: async (now) => {
      const before = [...usedRefreshTokens];
      const count = await sound.removeExpired(now);
      for (const [digest, used] of before) usedRefreshTokens.set(digest, used);
      return count;
    },
  }),
});
