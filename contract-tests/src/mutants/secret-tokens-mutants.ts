import { createHash, randomBytes } from 'node:crypto';
import type { SecretTokens } from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';
import { plainSecretTokens } from './derived-secret-mutants.ts';

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** Sound secrets, with some methods of their own in each process. */
const opening =
  (change: () => Partial<SecretTokens>): Open<SecretTokens> =>
  async () => {
    const plain = await plainSecretTokens();
    const make = (): SecretTokens => ({ ...plain.subject, ...change() });
    return { subject: make(), openSecond: async () => make(), close: () => plain.close() };
  };

const counting = (digits: (count: number) => string) => (): Partial<SecretTokens> => {
  let count = 0;
  return { next: () => digits(count++) };
};

/** Broken secrets, by what is wrong with them. */
export const secretTokensMutants: Readonly<Record<string, Open<SecretTokens>>> = {
  'makes one secret': opening(() => ({ next: () => 'A'.repeat(43) })),
  counts: opening(counting((count) => String(count).padStart(43, '0'))),
  'makes secrets from a seed': opening(
    counting((count) => Buffer.from(sha256(`seed ${count}`), 'hex').toString('base64url')),
  ),
  'has 128 random bits': opening(() => ({
    next: () => Buffer.concat([randomBytes(16), Buffer.alloc(16)]).toString('base64url'),
  })),
  'has 128 random bits, twice': opening(() => ({ next: () => randomBytes(16).toString('hex') + 'A'.repeat(11) })),
  'is not URL-safe': opening(() => ({ next: () => randomBytes(33).toString('base64').slice(0, 43) })),
  'is shorter': opening(() => ({ next: () => randomBytes(24).toString('base64url') })),
  'digests to the secret itself': opening(() => ({ digest: (secret) => secret })),
  'digests with a salt of its process': opening(() => {
    const salt = randomBytes(8).toString('hex');
    return { digest: (secret) => sha256(salt + secret) };
  }),
  'digests in upper case': opening(() => ({ digest: (secret) => sha256(secret).toUpperCase() })),
  'digests the low bytes of characters': opening(() => ({ digest: (secret) => sha256(Buffer.from(secret, 'latin1')) })),
  'digests the first 72 bytes': opening(() => ({ digest: (secret) => sha256(Buffer.from(secret).subarray(0, 72)) })),
};
