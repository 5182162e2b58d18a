import { createHash, randomBytes, scrypt, type BinaryLike } from 'node:crypto';
import type { PasswordHasher } from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';

// Hashed first, as scrypt alone takes a password with NULs at its end for the one without (HMAC fills its key with them).
const digest = (password: BinaryLike): Uint8Array => createHash('sha256').update(password).digest();

const derive = (password: BinaryLike, salt: string): Promise<string> =>
  new Promise((resolve, reject) => {
    scrypt(digest(password), salt, 32, { N: 4096 }, (error, key) =>
      error ? reject(error) : resolve(`$plain$${salt}$${key.toString('hex')}`),
    );
  });

interface Parts {
  readonly reduce: (password: string) => BinaryLike; // to what is hashed
  readonly salt: () => string;
}

const sound: Parts = { reduce: (password) => password, salt: () => randomBytes(16).toString('hex') };

const hasher = ({ reduce, salt }: Parts): PasswordHasher => ({
  hash: (password) => derive(reduce(password), salt()),
  verify: async (password, hash) => {
    const made = await derive(reduce(password), hash?.split('$')[2] ?? salt());
    return hash !== undefined && made === hash;
  },
});

const opening =
  (subject: PasswordHasher): Open<PasswordHasher> =>
  async () => ({ subject, close: async () => {} });

const plain = hasher(sound);

/** The hasher that the mutants are made of passes the suite. */
export const plainPasswordHasher = opening(plain);

/** Broken hashers, by what is wrong with them. */
export const passwordHasherMutants: Readonly<Record<string, Open<PasswordHasher>>> = {
  'verifies everything': opening({ ...plain, verify: async () => true }),
  'verifies nothing': opening({ ...plain, verify: async () => false }),
  'counts the first 72 bytes only': opening(hasher({ ...sound, reduce: (p) => Buffer.from(p).subarray(0, 72) })),
  'counts the first 255 bytes only': opening(hasher({ ...sound, reduce: (p) => Buffer.from(p).subarray(0, 255) })),
  'ends at a NUL': opening(hasher({ ...sound, reduce: (p) => p.split('\0')[0] ?? '' })),
  'counts the low byte of each character': opening(hasher({ ...sound, reduce: (p) => Buffer.from(p, 'latin1') })),
  'trims passwords': opening(hasher({ ...sound, reduce: (p) => p.trim() })),
  'ignores case': opening(hasher({ ...sound, reduce: (p) => p.toLowerCase() })),
  'normalises passwords': opening(hasher({ ...sound, reduce: (p) => p.normalize('NFC') })),
  'has one salt for all': opening(hasher({ ...sound, salt: () => 'salt' })),
  'answers at once without a hash': opening({
    ...plain,
    verify: async (password, hash) => hash !== undefined && (await plain.verify(password, hash)),
  }),
  'lets anybody in without a hash': opening({
    ...plain,
    verify: async (password, hash) => (await plain.verify(password, hash)) || hash === undefined,
  }),
  'keeps the password readable': opening({
    hash: async (password) => `$plain$${randomBytes(8).toString('hex')}$${password}`,
    verify: async (password, hash) => hash?.split('$').slice(3).join('$') === password,
  }),
  'names no algorithm': opening({
    hash: async (password) => (await plain.hash(password)).replace('$plain$', ''),
    verify: (password, hash) => plain.verify(password, hash === undefined ? undefined : `$plain$${hash}`),
  }),
};
