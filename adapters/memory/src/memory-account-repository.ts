import type { Account, AccountRepository } from '@palimpsest/core';
import type { MemoryStore } from './memory-store.ts';

/** Accounts in memory. */
export class MemoryAccountRepository implements AccountRepository {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async add(account: Account): Promise<boolean> {
    if (this.#withEmail(account.email) !== undefined) return false;
    if (this.#store.accounts.has(account.id)) throw new TypeError('An account with this id is stored already');
    this.#store.accounts.set(account.id, { ...account });
    return true;
  }

  async find(id: string): Promise<Account | undefined> {
    return structuredClone(this.#store.accounts.get(id));
  }

  async findByEmail(email: string): Promise<Account | undefined> {
    return structuredClone(this.#withEmail(email));
  }

  async remove(id: string): Promise<void> {
    this.#store.accounts.delete(id);
  }

  #withEmail(email: string): Account | undefined {
    return this.#store.accounts.values().find((account) => account.email === email);
  }
}
