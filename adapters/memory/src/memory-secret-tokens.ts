import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { SecretTokens } from '@palimpsest/core';

/** Random and derived secrets by `node:crypto`. */
export class MemorySecretTokens implements SecretTokens {
  readonly #key: Uint8Array;

  /** Objects with the same `key` derive the same secrets. The default is a random key. */
  constructor({ key = randomBytes(32) }: { readonly key?: Uint8Array } = {}) {
    this.#key = Uint8Array.from(key);
  }

  next(): string {
    return randomBytes(32).toString('base64url');
  }

  derive(seed: string): string {
    // Encoded as UTF-16, because in UTF-8 all lone surrogates become the same character.
    return createHmac('sha256', this.#key).update(seed, 'utf16le').digest('base64url');
  }

  digest(secret: string): string {
    return createHash('sha256').update(secret).digest('hex');
  }
}
