import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { SecretTokens } from '@palimpsest/core';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';
import { describeDerivedSecrets } from './derived.ts';

/**
 * What every {@link SecretTokens} promises. `open` gives the adapter a new key each time, from which it derives secrets; a
 * second handle has the same one.
 */
export const describeSecretTokens = (name: string, open: Open<SecretTokens>, without: Without = {}): void => {
  describe(`${name} as SecretTokens`, () => {
    const opened = openForEach(open);
    const secrets = (): SecretTokens => opened().subject;
    const many = (): readonly string[] => Array.from({ length: 10_000 }, () => secrets().next());

    it('makes 43 URL-safe characters', () => {
      for (const secret of many()) expect(secret).to.match(/^[A-Za-z0-9_-]{43}$/);
    });

    it('never makes the same secret twice', () => {
      expect(new Set(many()).size).to.equal(10_000);
    });

    it('makes 256 bits each of which is a coin toss', () => {
      const ones = new Uint32Array(256);
      for (const secret of many()) {
        const bytes = Buffer.from(secret, 'base64url');
        for (let bit = 0; bit < 256; bit++) ones[bit] = (ones[bit] ?? 0) + (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1);
      }
      // Ten standard deviations (50) on either side of the half.
      for (const [bit, count] of ones.entries()) expect(count, `bit ${bit}`).to.be.within(4500, 5500);
    });

    it('digests a secret with SHA-256, in lowercase hexadecimal', () => {
      for (const secret of [secrets().next(), '', 'é😀', 'a'.repeat(10_000), 'with\0nul']) {
        expect(secrets().digest(secret)).to.equal(createHash('sha256').update(secret, 'utf8').digest('hex'));
      }
    });

    describeWith('openSecond', opened, without, (second) => {
      it('makes other secrets than another process, and the same digests', async () => {
        const other = await second();
        const [ours, theirs] = [many(), Array.from({ length: 1000 }, () => other.next())];
        expect(new Set([...ours, ...theirs]).size).to.equal(11_000);
        expect(other.digest('same')).to.equal(secrets().digest('same'));
      });
    });
  });
  describeDerivedSecrets(name, open, without);
};
