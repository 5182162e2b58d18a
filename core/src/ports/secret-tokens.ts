/** Makes opaque secrets (refresh, verification and reset tokens) of at least 256 random bits. */
export interface SecretTokens {
  /** A new secret, URL-safe, 43 characters. */
  next(): string;
  /** The SHA-256 of a secret in hexadecimal: the only form in which secrets are stored. */
  digest(secret: string): string;
}
