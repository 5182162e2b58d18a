/** Generates opaque secrets of 256 bits (refresh, verification and reset tokens). */
export interface SecretTokens {
  /** A new random secret, URL-safe, 43 characters. */
  next(): string;
  /**
   * A secret of the same form that is derived from `seed`. Every process of the service derives the same secret. Nobody
   * else can predict it, even with knowledge of other seeds and their secrets.
   */
  derive(seed: string): string;
  /** The SHA-256 of a secret in hexadecimal, the only form in which secrets are stored. */
  digest(secret: string): string;
}
