import type { Instant, Rotation, Session, SessionRepository } from '@palimpsest/core';
import { mutant, type Mutant, type Mutants } from './mutant.ts';

const plain = (change: (sound: SessionRepository) => Partial<SessionRepository>) => mutant(() => change);

const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Rotates as `change` has the rotation. */
const rotating = (change: (rotation: Rotation) => Partial<Rotation>) =>
  plain((sound) => ({ rotate: (id, rotation) => sound.rotate(id, { ...rotation, ...change(rotation) }) }));

interface Memory {
  /** When a used-up token may be forgotten. */
  readonly until: (session: Session, rotation: Rotation) => Instant;
  readonly forgetsRemoved: boolean; // with a session that is removed by itself
  readonly forgetsRemovedOfAccount: boolean;
}

/** Remembers used-up tokens itself: as it should, but for what is given. */
const remembering = (given: Partial<Memory>): Mutant<SessionRepository> => {
  const memory: Memory = {
    until: (session) => session.expiresAt,
    forgetsRemoved: true,
    forgetsRemovedOfAccount: true,
    ...given,
  };
  return mutant(() => {
    const used = new Map<string, { readonly id: string; readonly usedAt: Instant; readonly until: Instant }>();
    return (sound) => {
      const forgetEnded = async (): Promise<void> => {
        for (const [digest, { id }] of used) if ((await sound.find(id)) === undefined) used.delete(digest);
      };
      return {
        rotate: async (id, rotation) => {
          const session = await sound.find(id);
          if (session === undefined || !(await sound.rotate(id, rotation))) return false;
          used.set(rotation.from, { id, usedAt: rotation.usedAt, until: memory.until(session, rotation) });
          return true;
        },
        findByRefreshToken: async (digest) => {
          const found = await sound.findByRefreshToken(digest);
          if (found !== undefined && found.usedAt === undefined) return found;
          const token = used.get(digest);
          const session = token && (await sound.find(token.id));
          return session && { session, usedAt: token.usedAt };
        },
        remove: async (id) => {
          await sound.remove(id);
          if (memory.forgetsRemoved) await forgetEnded();
        },
        removeAllOf: async (accountId, exceptId) => {
          await sound.removeAllOf(accountId, exceptId);
          if (memory.forgetsRemovedOfAccount) await forgetEnded();
        },
        removeExpired: async (now) => {
          for (const [digest, { until }] of used) if (until <= now) used.delete(digest);
          return sound.removeExpired(now);
        },
      };
    };
  });
};

/** A repository made as some of the mutants are, but sound: it passes the suite. */
export const plainRefreshTokens: Mutant<SessionRepository> = remembering({});

/** Repositories that are broken in what they do with refresh tokens, by what is wrong with them. */
export const refreshTokenMutants: Mutants<SessionRepository> = {
  'finds no session by its token': plain(() => ({ findByRefreshToken: async () => undefined })),
  'finds no session by a used-up token': plain((sound) => ({
    findByRefreshToken: async (digest) => {
      const found = await sound.findByRefreshToken(digest);
      return found?.usedAt === undefined ? found : undefined;
    },
  })),
  'finds a used-up token as one in force': plain((sound) => ({
    findByRefreshToken: async (digest) => {
      const found = await sound.findByRefreshToken(digest);
      return found && { ...found, usedAt: undefined };
    },
  })),
  'takes the moment 0 for none': plain((sound) => ({
    findByRefreshToken: async (digest) => {
      const found = await sound.findByRefreshToken(digest);
      return found && { ...found, usedAt: found.usedAt === 0 ? undefined : found.usedAt };
    },
  })),
  'leaves the moment out where there is none': plain((sound) => ({
    findByRefreshToken: async (digest) => {
      const found = await sound.findByRefreshToken(digest);
      if (found === undefined || found.usedAt !== undefined) return found;
      const { usedAt: _usedAt, ...rest } = found;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is broken on purpose
      return rest as typeof found;
    },
  })),
  'looks digests up without regard to case': plain((sound) => ({
    findByRefreshToken: (digest) => sound.findByRefreshToken(digest.toLowerCase()),
  })),
  'cuts digests off at a NUL': plain((sound) => ({
    findByRefreshToken: (digest) => sound.findByRefreshToken(digest.split('\0')[0] ?? ''),
  })),
  'finds a session by its id where a token is asked for': plain((sound) => ({
    findByRefreshToken: async (digest) => {
      const found = await sound.findByRefreshToken(digest);
      if (found !== undefined) return found;
      const session = await sound.find(digest);
      return session && { session, usedAt: undefined };
    },
  })),
  'hides the tokens of what has expired': plain((sound) => ({
    findByRefreshToken: async (digest) => {
      const found = await sound.findByRefreshToken(digest);
      return found !== undefined && found.session.expiresAt > 1_700_000_000_000_000 ? found : undefined;
    },
  })),
  'remembers the last used-up token of a session alone': mutant(() => {
    const last = new Map<string, string>();
    return (sound) => ({
      rotate: async (id, rotation) => {
        const rotated = await sound.rotate(id, rotation);
        if (rotated) last.set(id, rotation.from);
        return rotated;
      },
      findByRefreshToken: async (digest) => {
        const found = await sound.findByRefreshToken(digest);
        return found?.usedAt === undefined || last.get(found.session.id) === digest ? found : undefined;
      },
    });
  }),
  'gives of every token the moment at which the last one was used': mutant(() => {
    const last = new Map<string, Instant>();
    return (sound) => ({
      rotate: async (id, rotation) => {
        const rotated = await sound.rotate(id, rotation);
        if (rotated) last.set(id, rotation.usedAt);
        return rotated;
      },
      findByRefreshToken: async (digest) => {
        const found = await sound.findByRefreshToken(digest);
        return found && { ...found, usedAt: found.usedAt === undefined ? undefined : last.get(found.session.id) };
      },
    });
  }),
  'rotates nothing': plain(() => ({ rotate: async () => true })),
  'says that it did not rotate what it rotated': plain((sound) => ({
    rotate: async (id, rotation) => {
      await sound.rotate(id, rotation);
      return false;
    },
  })),
  'rotates whatever token is in force': plain((sound) => ({
    rotate: async (id, rotation) => {
      const session = await sound.find(id);
      return session !== undefined && sound.rotate(id, { ...rotation, from: session.refreshTokenDigest });
    },
  })),
  'rotates the session that has the token, whatever its id': plain((sound) => ({
    rotate: async (id, rotation) => {
      const found = await sound.findByRefreshToken(rotation.from);
      return sound.rotate(found?.session.id ?? id, rotation);
    },
  })),
  'takes a used-up token for one in force': plain((sound) => ({
    rotate: async (id, rotation) => {
      const found = await sound.findByRefreshToken(rotation.from);
      const from = found?.session.id === id ? found.session.refreshTokenDigest : rotation.from;
      return sound.rotate(id, { ...rotation, from });
    },
  })),
  'throws where the token is not in force': plain((sound) => ({
    rotate: async (id, rotation) => {
      if (await sound.rotate(id, rotation)) return true;
      throw new Error('not in force');
    },
  })),
  'throws where the session is gone': plain((sound) => ({
    rotate: async (id, rotation) => {
      if ((await sound.find(id)) === undefined) throw new TypeError('gone');
      return sound.rotate(id, rotation);
    },
  })),
  'looks at the token and then rotates': plain((sound) => ({
    rotate: async (id, rotation) => {
      const before = await sound.find(id);
      if (before?.refreshTokenDigest !== rotation.from) return false;
      await aTurn();
      const session = await sound.find(id);
      return session !== undefined && sound.rotate(id, { ...rotation, from: session.refreshTokenDigest });
    },
  })),
  'brings a session back that is ended while it is rotated': plain((sound) => ({
    rotate: async (id, rotation) => {
      const before = await sound.find(id);
      if (before?.refreshTokenDigest !== rotation.from) return false;
      await aTurn();
      if ((await sound.find(id)) === undefined) await sound.add(before);
      return sound.rotate(id, rotation);
    },
  })),
  'keeps the old expiry': plain((sound) => ({
    rotate: async (id, rotation) =>
      sound.rotate(id, { ...rotation, expiresAt: (await sound.find(id))?.expiresAt ?? 0 }),
  })),
  'never brings the expiry forward': plain((sound) => ({
    rotate: async (id, rotation) =>
      sound.rotate(id, {
        ...rotation,
        expiresAt: Math.max(rotation.expiresAt, (await sound.find(id))?.expiresAt ?? 0),
      }),
  })),
  'keeps milliseconds of the expiry': rotating(({ expiresAt }) => ({ expiresAt: Math.floor(expiresAt / 1000) * 1000 })),
  'keeps milliseconds of the use': rotating(({ usedAt }) => ({ usedAt: Math.floor(usedAt / 1000) * 1000 })),
  'refuses to rotate what has expired': plain((sound) => ({
    rotate: async (id, rotation) =>
      ((await sound.find(id))?.expiresAt ?? 0) > rotation.usedAt && sound.rotate(id, rotation),
  })),
  'trims digests': rotating(({ to }) => ({ to: to.trim() })),
  'remembers the tokens of a session that is removed': remembering({ forgetsRemoved: false }),
  'remembers the tokens of the sessions that are removed with an account': remembering({
    forgetsRemovedOfAccount: false,
  }),
  'forgets no used-up token by its time': remembering({ until: () => Number.POSITIVE_INFINITY }),
  'forgets every used-up token whenever it clears up': remembering({ until: () => 0 }),
  'forgets a used-up token when its successor would expire': remembering({ until: (_, { expiresAt }) => expiresAt }),
  'forgets a used-up token by the moment of its use': remembering({ until: (_, { usedAt }) => usedAt }),
  'forgets a used-up token a microsecond early': remembering({ until: ({ expiresAt }) => expiresAt - 1 }),
  'forgets a used-up token a microsecond late': remembering({ until: ({ expiresAt }) => expiresAt + 1 }),
  'counts used-up tokens among the sessions': mutant(() => {
    const digests = new Set<string>();
    return (sound) => ({
      rotate: (id, rotation) => {
        digests.add(rotation.from);
        return sound.rotate(id, rotation);
      },
      removeExpired: async (now) => {
        const known = async (): Promise<number> =>
          (await Promise.all([...digests].map((digest) => sound.findByRefreshToken(digest)))).filter(Boolean).length;
        const before = await known();
        const removed = await sound.removeExpired(now);
        return removed + before - (await known());
      },
    });
  }),
  'ends the session that is to be spared': plain((sound) => ({
    removeAllOf: (accountId) => sound.removeAllOf(accountId),
  })),
  'ends nothing where one is to be spared': plain((sound) => ({
    removeAllOf: async (accountId, exceptId) => {
      if (exceptId === undefined) await sound.removeAllOf(accountId);
    },
  })),
  'takes an empty id to spare for none': plain((sound) => ({
    removeAllOf: (accountId, exceptId) => sound.removeAllOf(accountId, exceptId === '' ? undefined : exceptId),
  })),
  'spares nothing and ends nothing where the id to spare is unknown': plain((sound) => ({
    removeAllOf: async (accountId, exceptId) => {
      if (exceptId === undefined || (await sound.find(exceptId)) !== undefined)
        await sound.removeAllOf(accountId, exceptId);
    },
  })),
  'gives the same object out twice': mutant(() => {
    const out = new Map<string, Awaited<ReturnType<SessionRepository['findByRefreshToken']>>>();
    return (sound) => ({
      findByRefreshToken: async (digest) => {
        const found = await sound.findByRefreshToken(digest);
        const state = JSON.stringify([digest, found]);
        const given = out.get(state) ?? found;
        out.set(state, given);
        return given;
      },
    });
  }),
};
