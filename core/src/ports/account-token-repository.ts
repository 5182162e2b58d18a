import type { AccountToken, TokenPurpose } from '../account/account-token.ts';
import type { Instant } from '../units.ts';

/** Keeps the tokens that were mailed to accounts, as SHA-256 digests. */
export interface AccountTokenRepository {
  /**
   * Puts a token in force, durably before it resolves, in place of the account's older one of that purpose, spent or not
   * (older: a lower `requestedAt`). The same token (by its digest) once more only gets its new `expiresAt`. `false`, and nothing is
   * changed, if the account's token of that purpose is as new or newer, or is this one and spent. Of concurrent calls
   * the newest wins.
   */
  issue(token: AccountToken): Promise<boolean>;
  /** The unspent token with this digest and purpose, expired or not; `undefined` if there is none. */
  find(digest: string, purpose: TokenPurpose): Promise<AccountToken | undefined>;
  /** Spends the token, durably. `false` if there is none unspent; of concurrent calls exactly one gets `true`. */
  spend(digest: string, purpose: TokenPurpose): Promise<boolean>;
  /** Removes all tokens of an account. */
  removeAllOf(accountId: string): Promise<void>;
  /** Removes tokens, spent or not, with `expiresAt <= moment`; resolves with how many. */
  removeExpired(moment: Instant): Promise<number>;
}
