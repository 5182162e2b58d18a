import { plusMs, type Instant } from '../units.ts';

/** What a mailed token lets its holder do. */
export type TokenPurpose = 'verify-email' | 'reset-password';

/** A token that was mailed to an account's address. An account has at most one of each purpose. */
export interface AccountToken {
  readonly accountId: string;
  readonly purpose: TokenPurpose;
  readonly digest: string; // SHA-256 of the token, hexadecimal
  readonly requestedAt: Instant;
  readonly expiresAt: Instant;
}

const HOUR_MS = 3_600_000;

export const accountTokenTtlMs: Readonly<Record<TokenPurpose, number>> = {
  'verify-email': 24 * HOUR_MS,
  'reset-password': HOUR_MS,
};

/** When a token that is mailed now stops working. */
export const tokenExpiry = (purpose: TokenPurpose, now: Instant): Instant => plusMs(now, accountTokenTtlMs[purpose]);
