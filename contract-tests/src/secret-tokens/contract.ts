import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { SecretTokens } from '@palimpsest/core';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';
import { describeDerivedSecrets } from './derived.ts';

/** Tests every promise of {@link SecretTokens}. `open` must use a new key each time; a second handle must use the same key. */
export const describeSecretTokens = (name: string, open: Open<SecretTokens>, without: Without = {}): void => {
  describe(`${name}, a SecretTokens`, () => {
    const opened = openForEach(open);
    const secrets = (): SecretTokens => opened().subject;
    const many = (): readonly string[] => Array.from({ length: 2_000 }, () => secrets().next());

    it('returns 43 URL-safe characters', () => {
      expect(many().filter((secret) => !/^[A-Za-z0-9_-]{43}$/.test(secret))).to.deep.equal([]);
    });

    it('never returns the same secret twice', () => {
      expect(new Set(many()).size).to.equal(2_000);
    });

    it('returns 256 random bits', () => {
      const ones = new Uint32Array(256);
      for (const secret of many()) {
        const bytes = Buffer.from(secret, 'base64url');
        for (let bit = 0; bit < 256; bit++) ones[bit] = (ones[bit] ?? 0) + (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1);
      }
      // Ten standard deviations on either side of the mean.
      for (const [bit, count] of ones.entries()) expect(count, `bit ${bit}`).to.be.within(776, 1224);
    });

    it('returns the SHA-256 digest of a secret in lowercase hexadecimal', () => {
      for (const secret of [secrets().next(), '', 'é😀', 'a'.repeat(10_000), 'with\0nul']) {
        expect(secrets().digest(secret)).to.equal(createHash('sha256').update(secret, 'utf8').digest('hex'));
      }
    });

    describeWith('openSecond', opened, without, (second) => {
      it('returns other secrets and the same digests in a second process', async () => {
        const other = await second();
        const [ours, theirs] = [many(), Array.from({ length: 1000 }, () => other.next())];
        expect(new Set([...ours, ...theirs]).size).to.equal(3_000);
        expect(other.digest('same')).to.equal(secrets().digest('same'));
      });
    });
  });
  describeDerivedSecrets(name, open, without);
};
