import { createHash, randomBytes } from 'node:crypto';
import type { SecretTokens } from '@palimpsest/core';

/** Random secrets by Node's own crypto. */
export class MemorySecretTokens implements SecretTokens {
  next(): string {
    return randomBytes(32).toString('base64url');
  }

  digest(secret: string): string {
    return createHash('sha256').update(secret).digest('hex');
  }
}
