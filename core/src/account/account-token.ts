import { AppError } from '../errors.ts';
import { plusMs, type Instant } from '../units.ts';

/** The action that a mailed token permits. */
export type TokenPurpose = 'verify-email' | 'reset-password';

/** A token that was mailed to the address of an account. An account has at most one token of each purpose. */
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

/** The expiry of a token that is mailed at `now`. */
export const tokenExpiry = (purpose: TokenPurpose, now: Instant): Instant => plusMs(now, accountTokenTtlMs[purpose]);

/** The error for a mailed token that is not valid. */
export const invalidOrExpiredToken = (): AppError =>
  new AppError(
    'INVALID_OR_EXPIRED_TOKEN',
    'This link was used already, has expired, or was replaced by a newer one. Ask for a new one.',
  );
