import type { Account, AccountRepository } from '@palimpsest/core';
import { mutant, secondHandleElsewhere, type Mutants } from './mutant.ts';

const plain = (change: (sound: AccountRepository) => Partial<AccountRepository>) => mutant(() => change);

/** Broken repositories, by what is wrong with them. */
export const accountRepositoryMutants: Mutants<AccountRepository> = {
  'stores nothing': plain(() => ({ add: async () => true })),
  'says that a taken address was free': plain((sound) => ({
    add: async (account) => {
      await sound.add(account);
      return true;
    },
  })),
  'throws where the address is taken': plain((sound) => ({
    add: async (account) => {
      if (await sound.add(account)) return true;
      throw new Error('taken');
    },
  })),
  'gives a taken address to the newcomer': plain((sound) => ({
    add: async (account) => {
      const before = await sound.findByEmail(account.email);
      if (before !== undefined) await sound.remove(before.id);
      return sound.add(account);
    },
  })),
  'looks for the address and then stores': mutant(() => {
    const later = new Map<string, Account>();
    return (sound) => ({
      add: async (account) => {
        if ((await sound.findByEmail(account.email)) !== undefined) return false;
        await new Promise((resolve) => setImmediate(resolve));
        if (!(await sound.add(account))) later.set(account.id, account);
        return true;
      },
      find: async (id) => later.get(id) ?? sound.find(id),
    });
  }),
  'finds addresses without regard to case': plain((sound) => ({ findByEmail: (email) => sound.findByEmail(email.toLowerCase()) })),
  'finds an account by its address where an id is asked for': plain((sound) => ({
    find: async (id) => (await sound.find(id)) ?? sound.findByEmail(id),
  })),
  'finds the first account whatever is asked for': mutant(() => {
    const first: { id?: string } = {};
    return (sound) => ({
      add: async (account) => {
        first.id ??= account.id;
        return sound.add(account);
      },
      find: async () => (first.id === undefined ? undefined : sound.find(first.id)),
    });
  }),
  'forgets whether an address was verified': plain((sound) => ({ add: (account) => sound.add({ ...account, emailVerified: false }) })),
  'keeps milliseconds': plain((sound) => ({
    add: (account) => sound.add({ ...account, createdAt: Math.floor(account.createdAt / 1000) * 1000 }),
  })),
  'removes nothing': plain(() => ({ remove: async () => {} })),
  'throws when it removes what is gone': plain((sound) => ({
    remove: async (id) => {
      if ((await sound.find(id)) === undefined) throw new Error('gone');
      await sound.remove(id);
    },
  })),
  'removes by address too': plain((sound) => ({
    remove: async (id) => sound.remove((await sound.findByEmail(id))?.id ?? id),
  })),
  'keeps the address of a removed account': mutant(() => {
    const taken = new Set<string>();
    return (sound) => ({
      add: async (account) => {
        if (taken.has(account.email)) return false;
        taken.add(account.email);
        return sound.add(account);
      },
    });
  }),
  'keeps the object that it was given': mutant(() => {
    const given = new Map<string, Account>();
    return (sound) => ({
      add: async (account) => {
        const added = await sound.add(account);
        if (added) given.set(account.id, account);
        return added;
      },
      find: async (id) => ((await sound.find(id)) === undefined ? undefined : given.get(id)),
    });
  }),
  'has a second handle that sees nothing': secondHandleElsewhere(),
};
