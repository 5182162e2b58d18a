import { plusMs, type Instant } from '../units.ts';

/** One sign-in of an account: what its access and refresh tokens belong to. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly refreshTokenDigest: string; // SHA-256 of the refresh token in force, hexadecimal
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export const ACCESS_TOKEN_TTL_MS = 3_600_000;
export const REFRESH_TOKEN_TTL_MS = 30 * 24 * 3_600_000;

/** A session that begins now and ends when its refresh token does. */
export const beginSession = (id: string, accountId: string, refreshTokenDigest: string, now: Instant): Session => ({
  id,
  accountId,
  refreshTokenDigest,
  createdAt: now,
  expiresAt: plusMs(now, REFRESH_TOKEN_TTL_MS),
});
