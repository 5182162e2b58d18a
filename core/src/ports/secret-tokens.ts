/** Makes opaque secrets (refresh, verification and reset tokens) of 256 bits. */
export interface SecretTokens {
  /** A new random secret, URL-safe, 43 characters. */
  next(): string;
  /**
   * The secret that belongs to `seed`, of the same form: always the same one in every process of the service, and to be
   * had by nobody else, whatever other seeds and secrets they know.
   */
  derive(seed: string): string;
  /** The SHA-256 of a secret in hexadecimal: the only form in which secrets are stored. */
  digest(secret: string): string;
}
