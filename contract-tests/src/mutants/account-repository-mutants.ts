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
      if (before !== undefined) await sound.close(before.id, 0);
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
  'finds addresses without regard to case': plain((sound) => ({
    findByEmail: (email) => sound.findByEmail(email.toLowerCase()),
  })),
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
  'forgets whether an address was verified': plain((sound) => ({
    add: (account) => sound.add({ ...account, emailVerified: false }),
  })),
  'keeps milliseconds': plain((sound) => ({
    add: (account) => sound.add({ ...account, createdAt: Math.floor(account.createdAt / 1000) * 1000 }),
  })),
  'stores over the account that has the id': plain((sound) => ({
    add: async (account) => {
      if ((await sound.findByEmail(account.email)) !== undefined) return false;
      await sound.close(account.id, 0);
      await sound.forget(account.id);
      return sound.add(account);
    },
  })),
  'passes over a taken id in silence': plain((sound) => ({ add: (account) => sound.add(account).catch(() => false) })),
  'verifies no address': plain(() => ({ verifyEmail: async () => {} })),
  'throws where there is nothing to verify': plain((sound) => ({
    verifyEmail: async (id) => {
      if ((await sound.find(id)) === undefined) throw new Error('gone');
      await sound.verifyEmail(id);
    },
  })),
  'refuses to verify an address once more': plain((sound) => ({
    verifyEmail: async (id) => {
      if ((await sound.find(id))?.emailVerified === true) throw new Error('verified');
      await sound.verifyEmail(id);
    },
  })),
  'verifies by address too': plain((sound) => ({
    verifyEmail: async (id) => sound.verifyEmail((await sound.findByEmail(id))?.id ?? id),
  })),
  'changes passwords by address too': plain((sound) => ({
    changePassword: async (id, from, to) => sound.changePassword((await sound.findByEmail(id))?.id ?? id, from, to),
  })),
  'verifies the addresses of all accounts': mutant(() => {
    const ids: string[] = [];
    return (sound) => ({
      add: async (account) => {
        ids.push(account.id);
        return sound.add(account);
      },
      verifyEmail: async () => {
        for (const id of ids) await sound.verifyEmail(id);
      },
    });
  }),
  'changes no password': plain(() => ({ changePassword: async () => true })),
  'changes a password whatever it was': plain((sound) => ({
    changePassword: async (id, _from, to) => {
      const account = await sound.find(id);
      return account !== undefined && sound.changePassword(id, account.passwordHash, to);
    },
  })),
  'says that no password was changed': plain((sound) => ({
    changePassword: async (id, from, to) => {
      await sound.changePassword(id, from, to);
      return false;
    },
  })),
  'says that the password of nobody was changed': plain((sound) => ({
    changePassword: async (id, from, to) => (await sound.find(id)) === undefined || sound.changePassword(id, from, to),
  })),
  'throws where the password is another': plain((sound) => ({
    changePassword: async (id, from, to) => {
      if (await sound.changePassword(id, from, to)) return true;
      throw new Error('another');
    },
  })),
  'takes a change to the same for none': plain((sound) => ({
    changePassword: async (id, from, to) => from !== to && sound.changePassword(id, from, to),
  })),
  'compares passwords without regard to case': plain((sound) => ({
    changePassword: async (id, from, to) => {
      const hash = (await sound.find(id))?.passwordHash;
      return sound.changePassword(
        id,
        hash !== undefined && hash.toLowerCase() === from.toLowerCase() ? hash : from,
        to,
      );
    },
  })),
  'takes an empty password for any': plain((sound) => ({
    changePassword: async (id, from, to) =>
      sound.changePassword(id, from === '' ? ((await sound.find(id))?.passwordHash ?? '') : from, to),
  })),
  'looks at the password and then changes it': plain((sound) => ({
    changePassword: async (id, from, to) => {
      if ((await sound.find(id))?.passwordHash !== from) return false;
      await new Promise((resolve) => setImmediate(resolve));
      const account = await sound.find(id);
      return account !== undefined && sound.changePassword(id, account.passwordHash, to);
    },
  })),
  'writes the account back as it was but for the password': plain((sound) => ({
    changePassword: async (id, from, to) => {
      const before = await sound.find(id);
      if (before === undefined || !(await sound.changePassword(id, from, to))) return false;
      await new Promise((resolve) => setImmediate(resolve));
      await sound.close(id, 0);
      await sound.forget(id);
      return sound.add({ ...before, passwordHash: to });
    },
  })),
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
