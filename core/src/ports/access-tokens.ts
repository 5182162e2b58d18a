import type { AccessClaims } from '../account/session.ts';
import type { Instant } from '../units.ts';

/** Signs and verifies access tokens (RFC 9068: signed JWT, one algorithm, type `at+jwt`). */
export interface AccessTokens {
  /** A signed token that is valid from `issuedAt` until `expiresAt`, in whole seconds. */
  sign(claims: AccessClaims, issuedAt: Instant, expiresAt: Instant): string;
  /**
   * The claims of a token that this issuer signed and that is valid at `now`. Otherwise throws `TOKEN_EXPIRED` (the
   * token is valid except for its time) or `INVALID_TOKEN`. It throws no other error, for any string. The message
   * contains neither the token nor its claims.
   */
  verify(token: string, now: Instant): AccessClaims;
}
