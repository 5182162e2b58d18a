import type { AccountToken, TokenPurpose } from '../account/account-token.ts';
import type { Instant } from '../units.ts';

/** Stores the tokens that were mailed to accounts, as SHA-256 digests. */
export interface AccountTokenRepository {
  /**
   * Stores a token, durably before it resolves, and replaces the account's older token of that purpose (the one with a
   * lower `requestedAt`), spent or not. If the same token (the same digest) is stored already, only its `expiresAt`
   * changes. `false`, and nothing changes, if the stored token is as new or newer, or is the same token and spent. Of
   * concurrent calls the newest token wins.
   */
  issue(token: AccountToken): Promise<boolean>;
  /** The unspent token with this digest and purpose, also if it has expired; `undefined` if it does not exist. */
  find(digest: string, purpose: TokenPurpose): Promise<AccountToken | undefined>;
  /**
   * Spends the token, durably. `false` if no unspent token has this digest and purpose; of concurrent calls exactly one
   * gets `true`.
   */
  spend(digest: string, purpose: TokenPurpose): Promise<boolean>;
  /** Removes all tokens of an account. */
  removeAllOf(accountId: string): Promise<void>;
  /** Removes tokens with `expiresAt <= moment`, spent or not; resolves with their number. */
  removeExpired(moment: Instant): Promise<number>;
}
