import { MemoryAccountRepository } from '@palimpsest/memory';
import { describeAccountRepository } from '../../src/account-repository.contract.ts';
import { describeStoreMutants, foldCase, turn, wholeMs } from './mutant.ts';

describeStoreMutants('AccountRepository', describeAccountRepository, (store) => new MemoryAccountRepository(store), {
  'stores nothing': () => ({ add: async () => true }),
  'reports a taken address as stored': (sound) => ({
    add: async (account) => {
      await sound.add(account);
      return true;
    },
  }),
  'throws for a taken address': (sound) => ({
    add: async (account) => {
      if (await sound.add(account)) return true;
      throw new Error('duplicate key');
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
  'reports a taken id as a taken address': (sound) => ({ add: (account) => sound.add(account).catch(() => false) }),
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
  'compares addresses without regard to case': (_sound, { accounts }) => ({
    findByEmail: async (email) =>
      accounts.values().find((account) => account.email.toLowerCase() === email.toLowerCase()),
  }),
  'compares ids without regard to case': (_sound, { accounts }) => {
    foldCase(accounts);
    return {};
  },
  'stores whole milliseconds only': (sound) => ({
    add: (account) => sound.add({ ...account, createdAt: wholeMs(account.createdAt) }),
  }),
  'returns the object that it stores': (_sound, { accounts }) => ({ find: async (id) => accounts.get(id) }),
  'does not mark an address as verified': () => ({ verifyEmail: async () => {} }),
  'marks the addresses of all accounts as verified': (sound, { accounts }) => ({
    verifyEmail: async () => {
      for (const id of accounts.keys()) await sound.verifyEmail(id);
    },
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
  'compares password hashes without regard to case': (sound, { accounts }) => ({
    changePassword: async (id, from, to) => {
      const hash = accounts.get(id)?.passwordHash ?? '';
      return await sound.changePassword(id, hash.toLowerCase() === from.toLowerCase() ? hash : from, to);
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
  'reports a password change of an absent account as done': (sound, { accounts }) => ({
    changePassword: async (id, from, to) => !accounts.has(id) || (await sound.changePassword(id, from, to)),
  }),
  'closes nothing': () => ({ close: async () => {} }),
  'deletes an account instead of closing it': (_sound, { accounts }) => ({
    close: async (id) => void accounts.delete(id),
  }),
  'lists an unknown id as closed': (_sound, { accounts, closedAccounts }) => ({
    close: async (id, closedAt) => {
      accounts.delete(id);
      closedAccounts.set(id, closedAt);
    },
  }),
  'keeps the address of a closed account taken': (sound, { accounts, closedAccounts }) => ({
    close: async (id, closedAt) => void (accounts.has(id) && closedAccounts.set(id, closedAt)),
    find: async (id) => (closedAccounts.has(id) ? undefined : await sound.find(id)),
  }),
  'moves the time of closing when an account is closed again': (sound, { closedAccounts }) => ({
    close: async (id, closedAt) => {
      if (closedAccounts.has(id)) closedAccounts.set(id, closedAt);
      await sound.close(id, closedAt);
    },
  }),
  'lists closed accounts in the order of their ids': (sound) => ({
    closed: async () => (await sound.closed()).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  }),
  'lists at most 100 closed accounts': (sound) => ({ closed: async () => (await sound.closed()).slice(0, 100) }),
  'forgets no closed account': () => ({ forget: async () => {} }),
  'removes an open account when it is forgotten': (sound, { accounts }) => ({
    forget: async (id) => {
      accounts.delete(id);
      await sound.forget(id);
    },
  }),
});
