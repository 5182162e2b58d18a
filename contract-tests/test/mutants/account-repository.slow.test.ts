import { MemoryAccountRepository } from '@palimpsest/memory';
import { describeAccountRepository } from '../../src/index.ts';
import { describeStoreMutants, foldKeys, nextTurn, wholeMs } from './mutant.ts';

describeStoreMutants('AccountRepository', describeAccountRepository, (store) => new MemoryAccountRepository(store), {
  'reports a taken address as stored': (original) => ({
    add: async (account) => {
      await original.add(account);
      return true;
    },
  }),
  'looks up the address and stores later, not atomically': (original, { accounts }) => ({
    add: async (account) => {
      if ((await original.findByEmail(account.email)) !== undefined) return false;
      await nextTurn();
      accounts.set(account.id, { ...account });
      return true;
    },
  }),
  'overwrites an account that has the same id': (_original, { accounts }) => ({
    add: async (account) => {
      if (accounts.values().some(({ email }) => email === account.email)) return false;
      accounts.set(account.id, { ...account });
      return true;
    },
  }),
  'accepts a new account with the id of a closed one': (original, { closedAccounts }) => ({
    add: async (account) => {
      closedAccounts.delete(account.id);
      return await original.add(account);
    },
  }),
  'compares addresses without accents': (_original, { accounts }) => ({
    findByEmail: async (email) => {
      const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');
      return accounts.values().find((account) => plain(account.email) === plain(email));
    },
  }),
  'compares ids without regard to case': (_original, { accounts }) => {
    foldKeys(accounts);
    return {};
  },
  'stores whole milliseconds only': (original) => ({
    add: (account) => original.add({ ...account, createdAt: wholeMs(account.createdAt) }),
  }),
  'throws when it verifies the address of an absent account': (original, { accounts }) => ({
    verifyEmail: async (id) => {
      if (!accounts.has(id)) throw new Error('not found');
      await original.verifyEmail(id);
    },
  }),
  'changes a password without comparing the old hash': (original, { accounts }) => ({
    changePassword: (id, _from, to) => original.changePassword(id, accounts.get(id)?.passwordHash ?? '', to),
  }),
  'compares the old hash and changes it later, not atomically': (original, { accounts }) => ({
    changePassword: async (id, from, to) => {
      if (accounts.get(id)?.passwordHash !== from) return false;
      await nextTurn();
      return await original.changePassword(id, accounts.get(id)?.passwordHash ?? '', to);
    },
  }),
  'writes the whole old account back with the new password': (original, { accounts }) => ({
    changePassword: async (id, from, to) => {
      const before = await original.find(id);
      await nextTurn();
      if (before?.passwordHash !== from || accounts.get(id)?.passwordHash !== from) return false;
      accounts.set(id, { ...before, passwordHash: to });
      return true;
    },
  }),
  'deletes an account instead of closing it': (_original, { accounts }) => ({
    close: async (id) => void accounts.delete(id),
  }),
  'changes the closing time when an account is closed again': (original, { closedAccounts }) => ({
    close: async (id, closedAt) => {
      if (closedAccounts.has(id)) closedAccounts.set(id, closedAt);
      await original.close(id, closedAt);
    },
  }),
  'lists at most 100 closed accounts': (original) => ({ closed: async () => (await original.closed()).slice(0, 100) }),
  'removes an open account when it is forgotten': (original, { accounts }) => ({
    forget: async (id) => {
      accounts.delete(id);
      await original.forget(id);
    },
  }),
});
