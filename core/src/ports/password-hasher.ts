/** Hashes passwords (OWASP Password Storage: Argon2id, m=19 MiB, t=2, p=1). */
export interface PasswordHasher {
  /** A salted hash that names its own algorithm and cost. Two calls never give the same one. */
  hash(password: string): Promise<string>;
  /**
   * Whether `password` is the one that `hash` was made of; all of it counts, byte by byte in UTF-8. Without a hash it
   * works as long as with one and resolves `false`, so that an unknown account answers like a known one.
   */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}
