import { createHash, createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import type { SecretTokens } from '@palimpsest/core';

const MIN_KEY_BYTES = 32; // RFC 2104, section 3: as long as the hash
const PURPOSE = 'palimpsest derived secrets 1';

/** Where derived secrets come from. */
export interface SecretTokensOptions {
  /** At least 32 random bytes, otherwise `TypeError`. They may serve other purposes too: these secrets have a key made from it. */
  readonly key: Uint8Array;
}

/** Secrets of 256 bits in base64url: from the system's generator, or derived by HMAC-SHA-256. */
export class RandomSecretTokens implements SecretTokens {
  readonly #derivingKey: KeyObject;

  constructor({ key }: SecretTokensOptions) {
    if (key.length < MIN_KEY_BYTES)
      throw new TypeError(`The key of derived secrets needs at least ${MIN_KEY_BYTES} bytes`);
    // RFC 5869, section 3.2: what is derived for one purpose tells nothing about what the key gives for another.
    this.#derivingKey = createSecretKey(new Uint8Array(hkdfSync('sha256', key, '', PURPOSE, 32)));
  }

  next(): string {
    return randomBytes(32).toString('base64url');
  }

  derive(seed: string): string {
    // Not UTF-8, in which all lone surrogates are one character.
    return createHmac('sha256', this.#derivingKey).update(seed, 'utf16le').digest('base64url');
  }

  digest(secret: string): string {
    return createHash('sha256').update(secret, 'utf8').digest('hex');
  }
}
