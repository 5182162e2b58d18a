/** Generates opaque secrets of 256 bits (refresh, verification and reset tokens). */
export interface SecretTokens {
  /** A new random secret, URL-safe, 43 characters. */
  next(): string;
  /**
   * The secret that belongs to `seed`, of the same form: the same in every process of the service, and unpredictable
   * for everybody else, even if they know other seeds and secrets.
   */
  derive(seed: string): string;
  /** The SHA-256 of a secret in hexadecimal, the only form in which secrets are stored. */
  digest(secret: string): string;
}
