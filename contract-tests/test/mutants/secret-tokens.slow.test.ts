import { createHash, randomBytes } from 'node:crypto';
import { MemorySecretTokens } from '@palimpsest/memory';
import { describeSecretTokens } from '../../src/secret-tokens.contract.ts';
import { describeStoreMutants } from './mutant.ts';

describeStoreMutants(
  'SecretTokens',
  describeSecretTokens,
  (store) => new MemorySecretTokens({ key: store.tokenKey }),
  {
    'makes the same secret again': (sound) => {
      const secret = sound.next();
      return { next: () => secret };
    },
    'makes secrets of 128 bits': (sound) => ({
      next: () =>
        Buffer.concat([Buffer.alloc(16), Buffer.from(sound.next(), 'base64url').subarray(16)]).toString('base64url'),
    }),
    'makes secrets that are not URL-safe': () => ({ next: () => randomBytes(32).toString('base64') }),
    'makes shorter secrets': () => ({ next: () => randomBytes(24).toString('base64url') }),
    'gives a secret as its own digest': () => ({ digest: (secret) => secret }),
    'gives digests in uppercase': (sound) => ({ digest: (secret) => sound.digest(secret).toUpperCase() }),
    'digests only the first 72 bytes': (sound) => ({ digest: (secret) => sound.digest(secret.slice(0, 72)) }),
    'derives a new secret each time': (sound) => ({ derive: () => sound.next() }),
    'derives one secret from all seeds': (sound) => ({ derive: () => sound.derive('') }),
    'derives the hash of the seed, without a key': () => ({
      derive: (seed) => createHash('sha256').update(seed).digest('base64url'),
    }),
    'derives from the first 64 characters of a seed': (sound) => ({
      derive: (seed) => sound.derive(seed.slice(0, 64)),
    }),
    'derives from the seed in Unicode normal form': (sound) => ({ derive: (seed) => sound.derive(seed.normalize()) }),
    'derives from the seed without regard to case': (sound) => ({ derive: (seed) => sound.derive(seed.toLowerCase()) }),
    'derives from UTF-8, in which all lone surrogates are equal': (sound) => ({
      derive: (seed) => sound.derive(seed.toWellFormed()),
    }),
    'derives in hexadecimal': (sound) => ({
      derive: (seed) => Buffer.from(sound.derive(seed), 'base64url').toString('hex'),
    }),
    'derives padded Base64': (sound) => ({ derive: (seed) => `${sound.derive(seed)}=` }),
  },
  false,
);
