import type { AccessClaims } from '../account/session.ts';
import type { Instant } from '../units.ts';

/** Makes and checks access tokens (RFC 9068: signed JWT, one algorithm, type `at+jwt`). */
export interface AccessTokens {
  /** A signed token that is good from `issuedAt` until `expiresAt`, in whole seconds. */
  sign(claims: AccessClaims, issuedAt: Instant, expiresAt: Instant): string;
  /**
   * The claims of a token that this issuer signed and that is good at `now`. Otherwise throws `TOKEN_EXPIRED` (right in
   * all but time) or `INVALID_TOKEN`; never anything else, whatever the string.
   */
  verify(token: string, now: Instant): AccessClaims;
}
