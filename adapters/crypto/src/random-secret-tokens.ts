import { createHash, createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import type { SecretTokens } from '@palimpsest/core';

const MIN_KEY_BYTES = 32; // RFC 2104, section 3: as long as the hash
const PURPOSE = 'palimpsest derived secrets 1';

/** The options of {@link RandomSecretTokens}. */
export interface SecretTokensOptions {
  /**
   * At least 32 random bytes, otherwise `TypeError`. The key may also be used for other purposes, because the
   * derived secrets use another key, which is derived from it.
   */
  readonly key: Uint8Array;
}

/** Secrets of 256 bits in base64url: random, or derived with HMAC-SHA-256. */
export class RandomSecretTokens implements SecretTokens {
  readonly #derivingKey: KeyObject;

  constructor({ key }: SecretTokensOptions) {
    if (key.length < MIN_KEY_BYTES)
      throw new TypeError(`The key for derived secrets needs at least ${MIN_KEY_BYTES} bytes`);
    // RFC 5869, section 3.2: keys that are derived for different purposes are independent.
    this.#derivingKey = createSecretKey(new Uint8Array(hkdfSync('sha256', key, '', PURPOSE, 32)));
  }

  next(): string {
    return randomBytes(32).toString('base64url');
  }

  derive(seed: string): string {
    // UTF-16, because UTF-8 would encode all lone surrogates as the same character.
    return createHmac('sha256', this.#derivingKey).update(seed, 'utf16le').digest('base64url');
  }

  digest(secret: string): string {
    return createHash('sha256').update(secret, 'utf8').digest('hex');
  }
}
