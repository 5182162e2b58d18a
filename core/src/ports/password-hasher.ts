/** Hashes passwords (OWASP Password Storage: Argon2id, m=19 MiB, t=2, p=1). */
export interface PasswordHasher {
  /** A salted hash that contains its algorithm and cost. Two calls never return the same hash. */
  hash(password: string): Promise<string>;
  /**
   * Whether `hash` was made from `password`; all bytes of its UTF-8 form count. Without a hash it takes as long as with
   * one and resolves with `false`, so that the time does not reveal whether an account exists.
   */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}
