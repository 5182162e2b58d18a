import { MemoryAccountRepository } from '@palimpsest/memory';
import { describeAccountRepository } from '../../src/index.ts';
import { describeStoreMutants, foldKeys, turn, wholeMs } from './mutant.ts';

describeStoreMutants('AccountRepository', describeAccountRepository, (store) => new MemoryAccountRepository(store), {
  'reports a taken address as stored': (sound) => ({
    add: async (account) => {
      await sound.add(account);
      return true;
    },
  }),
  'looks up the address and stores later, not atomically': (sound, { accounts }) => ({
    add: async (account) => {
      if ((await sound.findByEmail(account.email)) !== undefined) return false;
      await turn();
      accounts.set(account.id, { ...account });
      return true;
    },
  }),
  'overwrites an account that has the same id': (_sound, { accounts }) => ({
    add: async (account) => {
      if (accounts.values().some(({ email }) => email === account.email)) return false;
      accounts.set(account.id, { ...account });
      return true;
    },
  }),
  'gives the id of a closed account to a new one': (sound, { closedAccounts }) => ({
    add: async (account) => {
      closedAccounts.delete(account.id);
      return await sound.add(account);
    },
  }),
  'compares addresses without accents': (_sound, { accounts }) => ({
    findByEmail: async (email) => {
      const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');
      return accounts.values().find((account) => plain(account.email) === plain(email));
    },
  }),
  'compares ids without regard to case': (_sound, { accounts }) => {
    foldKeys(accounts);
    return {};
  },
  'stores whole milliseconds only': (sound) => ({
    add: (account) => sound.add({ ...account, createdAt: wholeMs(account.createdAt) }),
  }),
  'throws when it verifies the address of an absent account': (sound, { accounts }) => ({
    verifyEmail: async (id) => {
      if (!accounts.has(id)) throw new Error('not found');
      await sound.verifyEmail(id);
    },
  }),
  'changes a password whatever the old hash is': (sound, { accounts }) => ({
    changePassword: (id, _from, to) => sound.changePassword(id, accounts.get(id)?.passwordHash ?? '', to),
  }),
  'compares the old hash and changes it later, not atomically': (sound, { accounts }) => ({
    changePassword: async (id, from, to) => {
      if (accounts.get(id)?.passwordHash !== from) return false;
      await turn();
      return await sound.changePassword(id, accounts.get(id)?.passwordHash ?? '', to);
    },
  }),
  'writes the whole old account back with the new password': (sound, { accounts }) => ({
    changePassword: async (id, from, to) => {
      const before = await sound.find(id);
      await turn();
      if (before?.passwordHash !== from || accounts.get(id)?.passwordHash !== from) return false;
      accounts.set(id, { ...before, passwordHash: to });
      return true;
    },
  }),
  'deletes an account instead of closing it': (_sound, { accounts }) => ({
    close: async (id) => void accounts.delete(id),
  }),
  'moves the time of closing when an account is closed again': (sound, { closedAccounts }) => ({
    close: async (id, closedAt) => {
      if (closedAccounts.has(id)) closedAccounts.set(id, closedAt);
      await sound.close(id, closedAt);
    },
  }),
  'lists at most 100 closed accounts': (sound) => ({ closed: async () => (await sound.closed()).slice(0, 100) }),
  'removes an open account when it is forgotten': (sound, { accounts }) => ({
    forget: async (id) => {
      accounts.delete(id);
      await sound.forget(id);
    },
  }),
});
