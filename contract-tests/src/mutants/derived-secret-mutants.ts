import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { SecretTokens } from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';

const hmac = (key: string | Uint8Array, data: string | Uint8Array): Buffer =>
  createHmac('sha256', key).update(data).digest();
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const utf16 = (seed: string): Buffer => Buffer.from(seed, 'utf16le');

/** Makes the secrets of a store derive as `derive` says, under a key that its handles share. */
const deriving =
  (derive: (key: Buffer) => (seed: string) => string): Open<SecretTokens> =>
  async () => {
    const key = randomBytes(32);
    const make = (): SecretTokens => ({
      next: () => text(randomBytes(32)),
      derive: derive(key),
      digest: (secret) => sha256(secret).toString('hex'),
    });
    return { subject: make(), openSecond: async () => make(), close: async () => {} };
  };

const under = (bytes: (key: Buffer, seed: string) => Uint8Array): Open<SecretTokens> =>
  deriving((key) => (seed) => text(bytes(key, seed)));

/** Secrets that are derived soundly pass the suite. */
export const plainSecretTokens = under((key, seed) => hmac(key, utf16(seed)));

/** Secrets that are derived wrongly, by what is wrong with them. */
export const derivedSecretMutants: Readonly<Record<string, Open<SecretTokens>>> = {
  'derives a new secret each time': deriving(() => () => text(randomBytes(32))),
  'derives one secret from every seed': under((key) => hmac(key, '')),
  'remembers what it made for a seed, in its process alone': deriving(() => {
    const made = new Map<string, string>();
    return (seed) => {
      const secret = made.get(seed) ?? text(randomBytes(32));
      made.set(seed, secret);
      return secret;
    };
  }),
  'derives under a key of its process': deriving(() => {
    const key = randomBytes(32);
    return (seed) => text(hmac(key, utf16(seed)));
  }),
  'derives what depends on what was derived before': deriving((key) => {
    let count = 0;
    return (seed) => text(hmac(key, utf16(seed + String(count++))));
  }),
  'derives under no key': under((_, seed) => hmac('', utf16(seed))),
  'derives under a key that is in the program': under((_, seed) => hmac('palimpsest', utf16(seed))),
  'hashes the seed': under((_, seed) => sha256(seed)),
  'hashes the seed as UTF-16': under((_, seed) => sha256(utf16(seed))),
  'derives under the seed itself': under((_, seed) => hmac(seed, seed)),
  'gives the seed back': deriving(() => (seed) => text(utf16(seed)).padEnd(43, 'A').slice(0, 43)),
  'derives from the first 64 characters': under((key, seed) => hmac(key, utf16(seed.slice(0, 64)))),
  'derives from the first 72 bytes': under((key, seed) => hmac(key, utf16(seed).subarray(0, 72))),
  'cuts the seed off at a NUL': under((key, seed) => hmac(key, utf16(seed.split('\0')[0] ?? ''))),
  'trims the seed': under((key, seed) => hmac(key, utf16(seed.trim()))),
  'derives without regard to case': under((key, seed) => hmac(key, utf16(seed.toLowerCase()))),
  'derives from the seed in normal form': under((key, seed) => hmac(key, utf16(seed.normalize('NFC')))),
  'derives from the low bytes of characters': under((key, seed) => hmac(key, Buffer.from(seed, 'latin1'))),
  'derives from UTF-8, in which lone surrogates are alike': under((key, seed) => hmac(key, seed)),
  'derives from the sum of the characters': under((key, seed) =>
    hmac(key, String([...seed].reduce((sum, each) => sum + (each.codePointAt(0) ?? 0), 0))),
  ),
  'derives in hexadecimal': deriving((key) => (seed) => hmac(key, utf16(seed)).toString('hex').slice(0, 43)),
  'derives what is not URL-safe': deriving((key) => (seed) => hmac(key, utf16(seed)).toString('base64').slice(0, 43)),
  'derives padded text': deriving((key) => (seed) => `${text(hmac(key, utf16(seed)))}=`),
  'derives 128 bits': under((key, seed) => hmac(key, utf16(seed)).subarray(0, 16)),
  'derives 128 bits and zeros': under((key, seed) =>
    Buffer.concat([hmac(key, utf16(seed)).subarray(0, 16), Buffer.alloc(16)]),
  ),
  'derives 128 bits, twice': under((key, seed) => {
    const half = hmac(key, utf16(seed)).subarray(0, 16);
    return Buffer.concat([half, half.map((byte) => byte ^ 0xff)]);
  }),
  'adds the hash of the seed to the key': under((key, seed) =>
    sha256(utf16(seed)).map((byte, i) => byte ^ (key[i] ?? 0)),
  ),
  'encrypts the seed in blocks of its own': under((key, seed) => {
    const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    return cipher.update(Buffer.concat([utf16(seed), Buffer.alloc(32)]).subarray(0, 32));
  }),
  'encrypts the hash of the seed under one key stream': under((key, seed) =>
    createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(sha256(utf16(seed))),
  ),
};
