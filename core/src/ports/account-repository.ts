import type { Account, ClosedAccount } from '../account/account.ts';
import type { Instant } from '../units.ts';

/** Stores accounts. Every change is durable before its call resolves. */
export interface AccountRepository {
  /**
   * Stores a new account. Returns `false` and stores nothing if another account has its `email` (in canonical form). Of
   * several concurrent calls with the same address exactly one succeeds. An id that is taken, also by a closed account,
   * is a `TypeError`.
   */
  add(account: Account): Promise<boolean>;
  /** The account with this id, `undefined` if it does not exist. */
  find(id: string): Promise<Account | undefined>;
  /** The account with this canonical address, `undefined` if it does not exist. */
  findByEmail(email: string): Promise<Account | undefined>;
  /** Marks the address of the account as verified. No effect if the account does not exist. */
  verifyEmail(id: string): Promise<void>;
  /**
   * Replaces the password hash `from` by `to`, atomically. Returns `false` and changes nothing if the stored hash is
   * not `from`, or if the account does not exist.
   */
  changePassword(id: string, from: string, to: string): Promise<boolean>;
  /**
   * Closes an account: `find` and `findByEmail` do not return it any more, and its address is free. Only its id and
   * `closedAt` are kept, for {@link closed}. Closing a closed or unknown account has no effect.
   */
  close(id: string, closedAt: Instant): Promise<void>;
  /** All closed accounts that were not removed by {@link forget}, in the order in which they were closed. */
  closed(): Promise<readonly ClosedAccount[]>;
  /** Removes the record of a closed account. No effect on an open or unknown account. */
  forget(id: string): Promise<void>;
}
