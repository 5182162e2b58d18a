import type { Account, ClosedAccount } from '../account/account.ts';
import type { Instant } from '../units.ts';

/** Stores accounts. Every change is durable before its call resolves. */
export interface AccountRepository {
  /**
   * Stores a new account. `false`, and nothing is stored, if another account has its `email` (in canonical form); of
   * concurrent calls with one address exactly one succeeds. An id that is taken, also by a closed account, is a
   * `TypeError`.
   */
  add(account: Account): Promise<boolean>;
  /** The account with this id, `undefined` if it does not exist. */
  find(id: string): Promise<Account | undefined>;
  /** The account with this canonical address, `undefined` if it does not exist. */
  findByEmail(email: string): Promise<Account | undefined>;
  /** Marks the address of the account as verified. No effect if the account does not exist. */
  verifyEmail(id: string): Promise<void>;
  /**
   * Replaces the password hash atomically if it is still `from`. `false` if it is not, or if the account does not
   * exist.
   */
  changePassword(id: string, from: string, to: string): Promise<boolean>;
  /**
   * Closes an account: it is not found any more, and its address is free. Only its id is kept, in {@link closed}.
   * Closing a closed or unknown account has no effect.
   */
  close(id: string, closedAt: Instant): Promise<void>;
  /** The closed accounts that are not forgotten yet, in the order in which they were closed. */
  closed(): Promise<readonly ClosedAccount[]>;
  /** Forgets a closed account. No effect on an open or unknown account. */
  forget(id: string): Promise<void>;
}
