import type { Account, ClosedAccount } from '../account/account.ts';
import type { Instant } from '../units.ts';

/** Keeps accounts. Each call that changes something is durable before it resolves. */
export interface AccountRepository {
  /**
   * Stores a new account. `false`, and nothing is stored, if its `email` (already in canonical form) belongs to another
   * account; of concurrent calls with one address exactly one stores. A taken id, a closed account's too, is a `TypeError`.
   */
  add(account: Account): Promise<boolean>;
  /** The account with this id, `undefined` if there is none. */
  find(id: string): Promise<Account | undefined>;
  /** The account with this canonical address, `undefined` if there is none. */
  findByEmail(email: string): Promise<Account | undefined>;
  /** Marks the address of the account as verified. Nothing happens if there is no such account. */
  verifyEmail(id: string): Promise<void>;
  /** Replaces the password hash if it is still `from`, atomically; otherwise, or without such an account, `false`. */
  changePassword(id: string, from: string, to: string): Promise<boolean>;
  /**
   * Closes an account: it is found no more and its address is free; nothing of it is kept but its id, among
   * {@link closed}. Closing what is closed or gone changes nothing.
   */
  close(id: string, closedAt: Instant): Promise<void>;
  /** The closed accounts that are not forgotten, the longest closed first. */
  closed(): Promise<readonly ClosedAccount[]>;
  /** Forgets a closed account. An open or unknown one stays as it is. */
  forget(id: string): Promise<void>;
}
