import type { AccountToken, TokenPurpose } from '../account/account-token.ts';
import type { Instant } from '../units.ts';

/** Stores the tokens that were mailed to accounts, as SHA-256 digests. */
export interface AccountTokenRepository {
  /**
   * Stores a token, durably before it resolves. It replaces an older token of the same account and purpose (one with a
   * lower `requestedAt`), spent or not. If the same token (the same digest) is stored already, only its `expiresAt`
   * changes. Returns `false` and changes nothing if the stored token is as new or newer, or is the same token and
   * spent. After several concurrent calls the newest token is stored.
   */
  issue(token: AccountToken): Promise<boolean>;
  /** The unspent token with this digest and purpose, also if it has expired; `undefined` if it does not exist. */
  find(digest: string, purpose: TokenPurpose): Promise<AccountToken | undefined>;
  /**
   * Marks the token as spent, durably. Returns `false` if no unspent token has this digest and purpose. Of several
   * concurrent calls exactly one returns `true`.
   */
  spend(digest: string, purpose: TokenPurpose): Promise<boolean>;
  /** Removes all tokens of an account. */
  removeAllOf(accountId: string): Promise<void>;
  /** Removes tokens with `expiresAt <= moment`, spent or not; resolves with their number. */
  removeExpired(moment: Instant): Promise<number>;
}
