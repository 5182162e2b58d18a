import { createHash, randomBytes } from 'node:crypto';
import type { SecretTokens } from '@palimpsest/core';

/** Secrets of 256 bits from the system's generator, in base64url. */
export class RandomSecretTokens implements SecretTokens {
  next(): string {
    return randomBytes(32).toString('base64url');
  }

  digest(secret: string): string {
    return createHash('sha256').update(secret, 'utf8').digest('hex');
  }
}
