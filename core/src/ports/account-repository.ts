import type { Account } from '../account/account.ts';

/** Keeps accounts. */
export interface AccountRepository {
  /**
   * Stores a new account, durably before it resolves. `false`, and nothing is stored, if its `email` (already in
   * canonical form) belongs to another account; of concurrent calls with one address exactly one stores.
   */
  add(account: Account): Promise<boolean>;
  /** The account with this id, `undefined` if there is none. */
  find(id: string): Promise<Account | undefined>;
  /** The account with this canonical address, `undefined` if there is none. */
  findByEmail(email: string): Promise<Account | undefined>;
  /** Removes the account. Removing what is gone succeeds. */
  remove(id: string): Promise<void>;
}
