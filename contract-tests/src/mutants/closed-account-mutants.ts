import type { Account, AccountRepository, ClosedAccount } from '@palimpsest/core';
import { mutant, type Mutants } from './mutant.ts';

const plain = (change: (sound: AccountRepository) => Partial<AccountRepository>) => mutant(() => change);

const listing = (change: (closed: readonly ClosedAccount[]) => readonly ClosedAccount[]) =>
  plain((sound) => ({ closed: async () => change(await sound.closed()) }));

/** Repositories that are broken in how they close accounts, by what is wrong with them. */
export const closedAccountMutants: Mutants<AccountRepository> = {
  'closes nothing': plain(() => ({ close: async () => {} })),
  'throws when it closes what is gone': plain((sound) => ({
    close: async (id, closedAt) => {
      if ((await sound.find(id)) === undefined) throw new Error('gone');
      await sound.close(id, closedAt);
    },
  })),
  'closes by address too': plain((sound) => ({
    close: async (id, closedAt) => sound.close((await sound.findByEmail(id))?.id ?? id, closedAt),
  })),
  'removes what it should close': plain((sound) => ({
    close: async (id, closedAt) => {
      await sound.close(id, closedAt);
      await sound.forget(id);
    },
  })),
  'takes unknown accounts for closed ones': mutant(() => {
    const unknown = new Map<string, ClosedAccount>();
    return (sound) => ({
      close: async (id, closedAt) => {
        if ((await sound.find(id)) === undefined) unknown.set(id, { id, closedAt });
        await sound.close(id, closedAt);
      },
      closed: async () => [...(await sound.closed()), ...unknown.values()],
    });
  }),
  'keeps the address of a closed account': mutant(() => {
    const taken = new Set<string>();
    return (sound) => ({
      add: async (account) => {
        if (taken.has(account.email)) return false;
        taken.add(account.email);
        return sound.add(account);
      },
    });
  }),
  'still finds a closed account by its id': mutant(() => {
    const known = new Map<string, Account>();
    return (sound) => ({
      close: async (id, closedAt) => {
        const account = await sound.find(id);
        if (account !== undefined) known.set(id, account);
        await sound.close(id, closedAt);
      },
      find: async (id) => (await sound.find(id)) ?? structuredClone(known.get(id)),
    });
  }),
  'still finds a closed account by its address': mutant(() => {
    const known = new Map<string, Account>();
    return (sound) => ({
      close: async (id, closedAt) => {
        const account = await sound.find(id);
        if (account !== undefined) known.set(account.email, account);
        await sound.close(id, closedAt);
      },
      findByEmail: async (email) => (await sound.findByEmail(email)) ?? structuredClone(known.get(email)),
    });
  }),
  'frees the address only when the account is forgotten': mutant(() => {
    const held = new Map<string, string>();
    return (sound) => ({
      close: async (id, closedAt) => {
        const account = await sound.find(id);
        if (account !== undefined) held.set(id, account.email);
        await sound.close(id, closedAt);
      },
      add: async (account) => ![...held.values()].includes(account.email) && sound.add(account),
      forget: async (id) => {
        held.delete(id);
        await sound.forget(id);
      },
    });
  }),
  'changes the password of a closed account': mutant(() => {
    const hashes = new Map<string, string>();
    return (sound) => ({
      add: async (account) => {
        const added = await sound.add(account);
        if (added) hashes.set(account.id, account.passwordHash);
        return added;
      },
      changePassword: async (id, from, to) =>
        (await sound.changePassword(id, from, to)) || ((await sound.find(id)) === undefined && hashes.get(id) === from),
    });
  }),
  'opens a closed account when its address is verified': mutant(() => {
    const known = new Map<string, Account>();
    return (sound) => ({
      add: async (account) => {
        const added = await sound.add(account);
        if (added) known.set(account.id, structuredClone(account));
        return added;
      },
      verifyEmail: async (id) => {
        const account = known.get(id);
        if (account !== undefined && (await sound.find(id)) === undefined) {
          await sound.forget(id);
          await sound.add(account);
        }
        await sound.verifyEmail(id);
      },
    });
  }),
  'opens an account again that is closed while its password is changed': plain((sound) => ({
    changePassword: async (id, from, to) => {
      const before = await sound.find(id);
      if (before?.passwordHash !== from) return false;
      await new Promise((resolve) => setImmediate(resolve));
      if ((await sound.find(id)) === undefined) {
        await sound.forget(id);
        await sound.add(before);
      }
      return sound.changePassword(id, from, to);
    },
  })),
  'takes the last moment at which an account was closed': mutant(() => {
    const moments = new Map<string, number>();
    return (sound) => ({
      close: async (id, closedAt) => {
        moments.set(id, closedAt);
        await sound.close(id, closedAt);
      },
      closed: async () =>
        (await sound.closed()).map(({ id, closedAt }) => ({ id, closedAt: moments.get(id) ?? closedAt })),
    });
  }),
  'keeps milliseconds of the closing': plain((sound) => ({
    close: (id, closedAt) => sound.close(id, Math.floor(closedAt / 1000) * 1000),
  })),
  'keeps more of a closed account than its id': mutant(() => {
    const known = new Map<string, Account>();
    return (sound) => ({
      add: async (account) => {
        known.set(account.id, account);
        return sound.add(account);
      },
      closed: async () => (await sound.closed()).map((closed) => ({ ...closed, email: known.get(closed.id)?.email })),
    });
  }),
  'lists no closed accounts': listing(() => []),
  'lists the last closed first': listing((closed) => closed.toReversed()),
  'lists closed accounts by id': listing((closed) => closed.toSorted((a, b) => (a.id < b.id ? -1 : 1))),
  'lists closed accounts by their moments as text': listing((closed) =>
    closed.toSorted((a, b) => (String(a.closedAt) < String(b.closedAt) ? -1 : 1)),
  ),
  'lists a hundred closed accounts': listing((closed) => closed.slice(0, 100)),
  'lists one account of each moment': listing((closed) => [
    ...new Map(closed.map((account) => [account.closedAt, account])).values(),
  ]),
  'lists closed accounts in the order in which they were closed': mutant(() => {
    const order: string[] = [];
    return (sound) => ({
      close: async (id, closedAt) => {
        if (!order.includes(id)) order.push(id);
        await sound.close(id, closedAt);
      },
      closed: async () => (await sound.closed()).toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id)),
    });
  }),
  'gives the same list out twice': mutant(() => {
    const out = new Map<string, readonly ClosedAccount[]>();
    return (sound) => ({
      closed: async () => {
        const list = await sound.closed();
        const state = JSON.stringify(list);
        const given = out.get(state) ?? list;
        out.set(state, given);
        return given;
      },
    });
  }),
  'forgets no closed account': plain(() => ({ forget: async () => {} })),
  'forgets all closed accounts': plain((sound) => ({
    forget: async (id) => {
      const closed = await sound.closed();
      if (closed.some((account) => account.id === id)) for (const account of closed) await sound.forget(account.id);
    },
  })),
  'forgets an open account': plain((sound) => ({
    forget: async (id) => {
      await sound.close(id, 0);
      await sound.forget(id);
    },
  })),
  'throws when it forgets what is not closed': plain((sound) => ({
    forget: async (id) => {
      if (!(await sound.closed()).some((account) => account.id === id)) throw new Error('not closed');
      await sound.forget(id);
    },
  })),
  'gives the id of a closed account away anew': plain((sound) => ({
    add: async (account) => {
      await sound.forget(account.id);
      return sound.add(account);
    },
  })),
};
