import { createHash } from 'node:crypto';
import type { PasswordHasher } from '@palimpsest/core';
import { MemoryPasswordHasher } from '@palimpsest/memory';
import { describePasswordHasher } from '../../src/index.ts';
import { describeMutants, type Mutant } from './mutant.ts';

/** Changes each password before it is hashed or verified. */
const reading =
  (change: (password: string) => string): Mutant<PasswordHasher> =>
  (original) => ({
    hash: (password) => original.hash(change(password)),
    verify: (password, hash) => original.verify(change(password), hash),
  });

describeMutants('PasswordHasher', describePasswordHasher, () => new MemoryPasswordHasher(), {
  'accepts every password without a hash': (original) => ({
    verify: async (password, hash) => hash === undefined || (await original.verify(password, hash)),
  }),
  'uses only the first 72 bytes of a password': reading((password) =>
    Buffer.from(password).subarray(0, 72).toString('latin1'),
  ),
  'truncates passwords at a NUL': reading((password) => password.split('\0')[0] ?? ''),
  'compares passwords in Unicode normal form': reading((password) => password.normalize('NFKC')),
  'uses the same salt for all hashes': () => {
    const hash = (password: string): string => {
      const digest = createHash('sha256').update(`salt${password}`).digest('hex');
      return `$sha256$00000000000000000000000000000000$${digest}`;
    };
    return {
      hash: async (password) => hash(password),
      verify: async (password, given) => hash(password) === given,
    };
  },
  'creates hashes that do not name their algorithm': (original) => ({
    hash: async (password) => (await original.hash(password)).replace('$memory-sha256$', ''),
    verify: (password, hash) => original.verify(password, hash && `$memory-sha256$${hash}`),
  }),
  'keeps the password in the hash': (original) => ({
    hash: async (password) => `${await original.hash(password)}$${password}`,
  }),
});
