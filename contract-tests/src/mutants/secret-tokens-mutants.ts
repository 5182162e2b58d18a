import { createHash, randomBytes } from 'node:crypto';
import type { SecretTokens } from '@palimpsest/core';
import type { Open } from '../harness.ts';

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

const plain: SecretTokens = { next: () => randomBytes(32).toString('base64url'), digest: sha256 };

const opening =
  (make: () => SecretTokens): Open<SecretTokens> =>
  async () => ({ subject: make(), openSecond: async () => make(), close: async () => {} });

const counting = (digits: (count: number) => string) => (): SecretTokens => {
  let count = 0;
  return { ...plain, next: () => digits(count++) };
};

/** The secrets that the mutants are made of pass the suite. */
export const plainSecretTokens = opening(() => plain);

/** Broken secrets, by what is wrong with them. */
export const secretTokensMutants: Readonly<Record<string, Open<SecretTokens>>> = {
  'makes one secret': opening(() => ({ ...plain, next: () => 'A'.repeat(43) })),
  'counts': opening(counting((count) => String(count).padStart(43, '0'))),
  'makes secrets from a seed': opening(counting((count) => Buffer.from(sha256(`seed ${count}`), 'hex').toString('base64url'))),
  'has 128 random bits': opening(() => ({ ...plain, next: () => Buffer.concat([randomBytes(16), Buffer.alloc(16)]).toString('base64url') })),
  'has 128 random bits, twice': opening(() => ({ ...plain, next: () => randomBytes(16).toString('hex') + 'A'.repeat(11) })),
  'is not URL-safe': opening(() => ({ ...plain, next: () => randomBytes(33).toString('base64').slice(0, 43) })),
  'is shorter': opening(() => ({ ...plain, next: () => randomBytes(24).toString('base64url') })),
  'digests to the secret itself': opening(() => ({ ...plain, digest: (secret) => secret })),
  'digests with a salt of its process': opening(() => {
    const salt = randomBytes(8).toString('hex');
    return { ...plain, digest: (secret) => sha256(salt + secret) };
  }),
  'digests in upper case': opening(() => ({ ...plain, digest: (secret) => sha256(secret).toUpperCase() })),
  'digests the low bytes of characters': opening(() => ({ ...plain, digest: (secret) => sha256(Buffer.from(secret, 'latin1')) })),
  'digests the first 72 bytes': opening(() => ({ ...plain, digest: (secret) => sha256(Buffer.from(secret).subarray(0, 72)) })),
};
