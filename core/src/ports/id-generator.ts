/** Generates identifiers. */
export interface IdGenerator {
  /**
   * A new UUID version 7 (RFC 9562), lowercase and hyphenated. Later results in one process sort after earlier ones.
   * Different processes return different ids.
   */
  next(): string;
}
