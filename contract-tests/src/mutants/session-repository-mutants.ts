import type { Session, SessionRepository } from '@palimpsest/core';
import { mutant, secondHandleElsewhere, type Mutants } from './mutant.ts';

const plain = (change: (sound: SessionRepository) => Partial<SessionRepository>) => mutant(() => change);

/** Broken repositories, by what is wrong with them. */
export const sessionRepositoryMutants: Mutants<SessionRepository> = {
  'stores nothing': plain(() => ({ add: async () => {} })),
  'overwrites the session that has the id': plain((sound) => ({
    add: async (session) => {
      await sound.remove(session.id);
      await sound.add(session);
    },
  })),
  'passes over a taken id in silence': plain((sound) => ({ add: (session) => sound.add(session).catch(() => {}) })),
  'hides what has expired': plain((sound) => ({
    find: async (id) => {
      const session = await sound.find(id);
      return session !== undefined && session.expiresAt > 1_700_000_000_000_000 ? session : undefined;
    },
  })),
  'trims ids': plain((sound) => ({ find: (id) => sound.find(id.replaceAll('\0', '')) })),
  'keeps milliseconds': plain((sound) => ({
    add: (session) => sound.add({ ...session, expiresAt: Math.floor(session.expiresAt / 1000) * 1000 }),
  })),
  'ends nothing': plain(() => ({ remove: async () => {} })),
  'throws when it ends what is gone': plain((sound) => ({
    remove: async (id) => {
      if ((await sound.find(id)) === undefined) throw new Error('gone');
      await sound.remove(id);
    },
  })),
  'ends all sessions of the account instead of one': plain((sound) => ({
    remove: async (id) => sound.removeAllOf((await sound.find(id))?.accountId ?? ''),
  })),
  'ends no session of an account': plain(() => ({ removeAllOf: async () => {} })),
  'ends sessions of accounts whose id begins alike': mutant(() => {
    const accounts = new Set<string>();
    return (sound) => ({
      add: async (session) => {
        await sound.add(session);
        accounts.add(session.accountId);
      },
      removeAllOf: async (accountId) => {
        for (const each of accounts) if (each.startsWith(accountId)) await sound.removeAllOf(each);
      },
    });
  }),
  'removes a microsecond early': plain((sound) => ({ removeExpired: (now) => sound.removeExpired(now + 1) })),
  'removes a microsecond late': plain((sound) => ({ removeExpired: (now) => sound.removeExpired(now - 1) })),
  'counts nothing of what it removed': plain((sound) => ({
    removeExpired: async (now) => {
      await sound.removeExpired(now);
      return 0;
    },
  })),
  'gives the same object out twice': mutant(() => {
    const out = new Map<string, Session>();
    return (sound) => ({
      find: async (id) => {
        const session = await sound.find(id);
        if (session === undefined) return undefined;
        const kept = out.get(id) ?? session;
        out.set(id, kept);
        return kept;
      },
    });
  }),
  'has a second handle that sees nothing': secondHandleElsewhere(),
};
