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

/** For how long after its use a refresh token still works, for a client that did not get the answer. */
export const REFRESH_GRACE_MS = 10_000;

/** A session that begins now and ends when its refresh token does. */
export const beginSession = (id: string, accountId: string, refreshTokenDigest: string, now: Instant): Session => ({
  id,
  accountId,
  refreshTokenDigest,
  createdAt: now,
  expiresAt: plusMs(now, REFRESH_TOKEN_TTL_MS),
});

/**
 * What the use of a refresh token means: the token in force is replaced by the next; one that was used moments ago is
 * repeated by a client that lost the answer; one that was used before that has been stolen, by this client or from it
 * (RFC 9700, section 4.14.2); after its session it is worth nothing.
 */
export const refreshVerdict = (
  session: Session,
  usedAt: Instant | undefined,
  now: Instant,
): 'rotate' | 'repeated' | 'reused' | 'expired' => {
  if (session.expiresAt <= now) return 'expired';
  if (usedAt === undefined) return 'rotate';
  return now <= plusMs(usedAt, REFRESH_GRACE_MS) ? 'repeated' : 'reused';
};

/** What an access token says. */
export interface AccessClaims {
  readonly accountId: string;
  readonly sessionId: string;
}

/** A session found by one of its refresh tokens. */
export interface SessionOfToken {
  readonly session: Session;
  readonly usedAt: Instant | undefined; // when that token was replaced by another; `undefined`: it is in force
}

/** The replacement of a refresh token. */
export interface Rotation {
  readonly from: string; // digest of the token that is used up
  readonly to: string; // digest of the token that is in force from now on
  readonly usedAt: Instant;
  readonly expiresAt: Instant; // of the session from now on
}
