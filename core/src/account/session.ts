import { AppError } from '../errors.ts';
import { plusMs, type Instant } from '../units.ts';

/** A session: one sign-in of an account, with its access and refresh tokens. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly refreshTokenDigest: string; // SHA-256 of the current refresh token, hexadecimal
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export const ACCESS_TOKEN_TTL_MS = 3_600_000;
export const REFRESH_TOKEN_TTL_MS = 30 * 24 * 3_600_000;

/** A used refresh token still works for this time, because its client may not have received the response. */
export const REFRESH_GRACE_MS = 10_000;

/** A session that starts now and ends when its refresh token expires. */
export const beginSession = (id: string, accountId: string, refreshTokenDigest: string, now: Instant): Session => ({
  id,
  accountId,
  refreshTokenDigest,
  createdAt: now,
  expiresAt: plusMs(now, REFRESH_TOKEN_TTL_MS),
});

/**
 * Classifies the use of a refresh token:
 *
 * - `rotate`: it is the current token; the next one replaces it.
 * - `repeated`: it was used within the last {@link REFRESH_GRACE_MS}; the client probably lost the response.
 * - `reused`: it was used earlier; two clients have it, so it was probably stolen (RFC 9700, section 4.14.2).
 * - `expired`: its session has ended.
 */
export const classifyRefresh = (
  session: Session,
  usedAt: Instant | undefined,
  now: Instant,
): 'rotate' | 'repeated' | 'reused' | 'expired' => {
  if (session.expiresAt <= now) return 'expired';
  if (usedAt === undefined) return 'rotate';
  return now <= plusMs(usedAt, REFRESH_GRACE_MS) ? 'repeated' : 'reused';
};

/** The claims of an access token. */
export interface AccessClaims {
  readonly accountId: string;
  readonly sessionId: string;
}

/** The error for an access token that this service did not issue, or whose session has ended. */
export const invalidAccessToken = (cause?: unknown): AppError =>
  new AppError('INVALID_TOKEN', 'The access token is not valid any more. Sign in again.', { cause });

/** The error for an access token that is valid except for its time. */
export const expiredAccessToken = (): AppError =>
  new AppError('TOKEN_EXPIRED', 'The access token has expired. Refresh it or sign in again.');

/** A session that was found by one of its refresh tokens. */
export interface SessionOfToken {
  readonly session: Session;
  readonly usedAt: Instant | undefined; // when another token replaced this one; `undefined`: it is the current token
}

/** The tokens of a signed-in client. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInS: number; // of the access token
}

/** The replacement of a refresh token. */
export interface Rotation {
  readonly from: string; // digest of the used token
  readonly to: string; // digest of the new current token
  readonly usedAt: Instant;
  readonly expiresAt: Instant; // the new expiry of the session
}
