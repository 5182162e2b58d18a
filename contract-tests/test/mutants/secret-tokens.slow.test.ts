import { createHash, randomBytes } from 'node:crypto';
import { MemorySecretTokens } from '@palimpsest/memory';
import { describeSecretTokens } from '../../src/index.ts';
import { describeStoreMutants } from './mutant.ts';

describeStoreMutants(
  'SecretTokens',
  describeSecretTokens,
  (store) => new MemorySecretTokens({ key: store.tokenKey }),
  {
    'makes secrets of 128 bits': (sound) => ({
      next: () =>
        Buffer.concat([Buffer.alloc(16), Buffer.from(sound.next(), 'base64url').subarray(16)]).toString('base64url'),
    }),
    'makes secrets that are not URL-safe': () => ({ next: () => randomBytes(32).toString('base64') }),
    'gives digests in uppercase': (sound) => ({ digest: (secret) => sound.digest(secret).toUpperCase() }),
    'derives a new secret each time': (sound) => ({ derive: () => sound.next() }),
    'derives the hash of the seed, without a key': () => ({
      derive: (seed) => createHash('sha256').update(seed).digest('base64url'),
    }),
    'derives from the seed in Unicode normal form': (sound) => ({ derive: (seed) => sound.derive(seed.normalize()) }),
    'derives from UTF-8, in which all lone surrogates are equal': (sound) => ({
      derive: (seed) => sound.derive(seed.toWellFormed()),
    }),
  },
  false,
);
