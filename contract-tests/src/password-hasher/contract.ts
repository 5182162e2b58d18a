import { expect } from 'chai';
import type { PasswordHasher } from '@palimpsest/core';
import { openOnce, type Open } from '../kit/harness.ts';

/** Tests the promises of every {@link PasswordHasher}. */
export const describePasswordHasher = (name: string, open: Open<PasswordHasher>): void => {
  describe(`${name}, a PasswordHasher`, () => {
    const opened = openOnce(open);
    const hasher = (): PasswordHasher => opened().subject;

    it('accepts the password of a hash and rejects similar passwords', async () => {
      const hash = await hasher().hash('correct horse');
      expect(await hasher().verify('correct horse', hash)).to.equal(true);
      for (const other of [
        'correct horsf',
        'Correct horse',
        'correct horse ',
        ' correct horse',
        'correct hors',
        '',
        hash,
      ]) {
        expect(await hasher().verify(other, hash), JSON.stringify(other)).to.equal(false);
      }
    });

    it('returns a different hash on each call, and accepts the password for each', async () => {
      const [one, two] = [await hasher().hash('the same'), await hasher().hash('the same')];
      expect(one).to.not.equal(two);
      expect([await hasher().verify('the same', one), await hasher().verify('the same', two)]).to.deep.equal([
        true,
        true,
      ]);
    });

    const pairs: readonly (readonly [string, string, string])[] = [
      ['differ after byte 72', `${'a'.repeat(72)}x`, `${'a'.repeat(72)}y`],
      ['differ after byte 255', `${'a'.repeat(255)}x`, `${'a'.repeat(255)}y`],
      ['differ in length after byte 72', 'a'.repeat(72), 'a'.repeat(73)],
      ['differ after a NUL', 'abcdefgh\0x', 'abcdefgh\0y'],
      ['differ by a NUL at the end', 'abcdefgh', 'abcdefgh\0'],
      ['differ in the second half of an emoji', 'abcdefg😀', 'abcdefg😁'],
      ['differ in the high bits of a character', 'abcdefgh\u0141', 'abcdefghA'],
      ['differ in their composition', 'abcdefg\u00e9', 'abcdefge\u0301'],
    ];
    for (const [difference, one, two] of pairs) {
      it(`rejects the second of two passwords that ${difference}`, async () => {
        const hash = await hasher().hash(one);
        expect([await hasher().verify(one, hash), await hasher().verify(two, hash)]).to.deep.equal([true, false]);
      });
    }

    it('accepts an empty password and one of 1,024 characters', async () => {
      for (const password of ['', '密'.repeat(1024)]) {
        expect(await hasher().verify(password, await hasher().hash(password))).to.equal(true);
      }
    });

    it('names the algorithm in the hash and does not reveal the password', async () => {
      const hash = await hasher().hash('visible-secret');
      expect(hash).to.match(/^\$[a-z0-9-]+\$/);
      expect(hash).to.not.include('visible-secret');
      expect(hash).to.not.include(Buffer.from('visible-secret').toString('base64').slice(0, 12));
      expect(hash).to.not.include(Buffer.from('visible-secret').toString('hex'));
    });

    it('rejects every password if there is no hash', async () => {
      for (const password of ['', 'undefined', 'anything'])
        expect(await hasher().verify(password, undefined)).to.equal(false);
    });

    it('does not mix concurrent calls', async () => {
      const passwords = Array.from({ length: 4 }, (_, i) => `password ${i}`);
      const hashes = await Promise.all(passwords.map((password) => hasher().hash(password)));
      expect(new Set(hashes).size).to.equal(4);
      const verified = await Promise.all(hashes.map((hash, i) => hasher().verify(passwords[i] ?? '', hash)));
      const crossed = await Promise.all(hashes.map((hash, i) => hasher().verify(passwords[(i + 1) % 4] ?? '', hash)));
      expect([new Set(verified), new Set(crossed)]).to.deep.equal([new Set([true]), new Set([false])]);
    });
  });
};
