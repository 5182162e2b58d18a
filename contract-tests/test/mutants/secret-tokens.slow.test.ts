import { createHash, randomBytes } from 'node:crypto';
import { MemorySecretTokens } from '@palimpsest/memory';
import { describeSecretTokens } from '../../src/index.ts';
import { describeStoreMutants } from './mutant.ts';

describeStoreMutants(
  'SecretTokens',
  describeSecretTokens,
  (store) => new MemorySecretTokens({ key: store.tokenKey }),
  {
    'generates secrets of 128 bits': (original) => ({
      next: () =>
        Buffer.concat([Buffer.alloc(16), Buffer.from(original.next(), 'base64url').subarray(16)]).toString('base64url'),
    }),
    'generates secrets that are not URL-safe': () => ({ next: () => randomBytes(32).toString('base64') }),
    'returns digests in uppercase': (original) => ({ digest: (secret) => original.digest(secret).toUpperCase() }),
    'derives a new secret each time': (original) => ({ derive: () => original.next() }),
    'derives the hash of the seed, without a key': () => ({
      derive: (seed) => createHash('sha256').update(seed).digest('base64url'),
    }),
    'derives from the seed in Unicode normal form': (original) => ({
      derive: (seed) => original.derive(seed.normalize()),
    }),
    'derives from UTF-8, in which all lone surrogates are equal': (original) => ({
      derive: (seed) => original.derive(seed.toWellFormed()),
    }),
  },
  false,
);
