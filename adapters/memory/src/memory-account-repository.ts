import type { Account, AccountRepository, ClosedAccount, Instant } from '@palimpsest/core';
import type { MemoryStore } from './memory-store.ts';

/** Accounts in memory. */
export class MemoryAccountRepository implements AccountRepository {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async add(account: Account): Promise<boolean> {
    if (this.#withEmail(account.email) !== undefined) return false;
    if (this.#store.accounts.has(account.id) || this.#store.closedAccounts.has(account.id)) {
      throw new TypeError('The account id is taken');
    }
    this.#store.accounts.set(account.id, { ...account });
    return true;
  }

  async find(id: string): Promise<Account | undefined> {
    return structuredClone(this.#store.accounts.get(id));
  }

  async findByEmail(email: string): Promise<Account | undefined> {
    return structuredClone(this.#withEmail(email));
  }

  async verifyEmail(id: string): Promise<void> {
    const account = this.#store.accounts.get(id);
    if (account) this.#store.accounts.set(id, { ...account, emailVerified: true });
  }

  async changePassword(id: string, from: string, to: string): Promise<boolean> {
    const account = this.#store.accounts.get(id);
    if (account?.passwordHash !== from) return false;
    this.#store.accounts.set(id, { ...account, passwordHash: to });
    return true;
  }

  async close(id: string, closedAt: Instant): Promise<void> {
    if (this.#store.accounts.delete(id)) this.#store.closedAccounts.set(id, closedAt);
  }

  async closed(): Promise<readonly ClosedAccount[]> {
    const accounts = [...this.#store.closedAccounts].map(([id, closedAt]) => ({ id, closedAt }));
    return accounts.sort((a, b) => a.closedAt - b.closedAt);
  }

  async forget(id: string): Promise<void> {
    this.#store.closedAccounts.delete(id);
  }

  #withEmail(email: string): Account | undefined {
    return this.#store.accounts.values().find((account) => account.email === email);
  }
}
