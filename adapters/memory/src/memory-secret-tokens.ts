import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { SecretTokens } from '@palimpsest/core';

/** Random and derived secrets by Node's own crypto. */
export class MemorySecretTokens implements SecretTokens {
  readonly #key: Uint8Array;

  /** Those with the same `key` derive the same secrets; without one, a key of its own is made. */
  constructor({ key = randomBytes(32) }: { readonly key?: Uint8Array } = {}) {
    this.#key = Uint8Array.from(key);
  }

  next(): string {
    return randomBytes(32).toString('base64url');
  }

  derive(seed: string): string {
    // Not UTF-8, in which all lone surrogates are one character.
    return createHmac('sha256', this.#key).update(seed, 'utf16le').digest('base64url');
  }

  digest(secret: string): string {
    return createHash('sha256').update(secret).digest('hex');
  }
}
