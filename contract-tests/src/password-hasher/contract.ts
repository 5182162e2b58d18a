import { expect } from 'chai';
import type { PasswordHasher } from '@palimpsest/core';
import { openForEach, type Open } from '../kit/harness.ts';

const durationMs = async (action: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await action();
  return performance.now() - begun;
};

/** What every {@link PasswordHasher} promises. */
export const describePasswordHasher = (name: string, open: Open<PasswordHasher>): void => {
  describe(`${name} as a PasswordHasher`, () => {
    const opened = openForEach(open);
    const hasher = (): PasswordHasher => opened().subject;

    it('knows the password of a hash, and no other one', async () => {
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

    it('never makes the same hash twice, and knows the password of both', async () => {
      const [one, two] = [await hasher().hash('the same'), await hasher().hash('the same')];
      expect(one).to.not.equal(two);
      expect([await hasher().verify('the same', one), await hasher().verify('the same', two)]).to.deep.equal([
        true,
        true,
      ]);
    });

    it('tells hashes of different passwords apart', async () => {
      const [one, two] = [await hasher().hash('password one'), await hasher().hash('password two')];
      expect(await hasher().verify('password one', two)).to.equal(false);
      expect(await hasher().verify('password two', one)).to.equal(false);
    });

    const pairs: readonly (readonly [string, string, string])[] = [
      ['differ after byte 72', `${'a'.repeat(72)}x`, `${'a'.repeat(72)}y`],
      ['differ after byte 255', `${'a'.repeat(255)}x`, `${'a'.repeat(255)}y`],
      ['are one longer than the other after byte 72', 'a'.repeat(72), 'a'.repeat(73)],
      ['differ after a NUL', 'abcdefgh\0x', 'abcdefgh\0y'],
      ['differ by a NUL at the end', 'abcdefgh', 'abcdefgh\0'],
      ['differ in the second half of an emoji', 'abcdefg😀', 'abcdefg😁'],
      ['differ in the high bits of a character', 'abcdefgh\u0141', 'abcdefghA'],
      ['differ in their composition', 'abcdefg\u00e9', 'abcdefge\u0301'],
    ];
    for (const [difference, one, two] of pairs) {
      it(`tells passwords apart that ${difference}`, async () => {
        const hash = await hasher().hash(one);
        expect([await hasher().verify(one, hash), await hasher().verify(two, hash)]).to.deep.equal([true, false]);
      });
    }

    it('takes an empty password and one of 1,024 characters', async () => {
      for (const password of ['', '密'.repeat(1024)]) {
        expect(await hasher().verify(password, await hasher().hash(password))).to.equal(true);
      }
    });

    it('makes hashes that name their algorithm and do not hold the password', async () => {
      const hash = await hasher().hash('visible-secret');
      expect(hash).to.match(/^\$[a-z0-9-]+\$/);
      expect(hash).to.not.include('visible-secret');
      expect(hash).to.not.include(Buffer.from('visible-secret').toString('base64').slice(0, 12));
      expect(hash).to.not.include(Buffer.from('visible-secret').toString('hex'));
    });

    it('knows no password without a hash', async () => {
      for (const password of ['', 'undefined', 'anything'])
        expect(await hasher().verify(password, undefined)).to.equal(false);
    });

    it('works without a hash about as long as with one', async () => {
      const hash = await hasher().hash('timed');
      let [withHash, without] = [Infinity, Infinity];
      // The shortest of several, taken in turns, is the one that nothing else on the machine held up.
      for (let i = 0; i < 7; i++) {
        withHash = Math.min(withHash, await durationMs(() => hasher().verify('wrong', hash)));
        without = Math.min(without, await durationMs(() => hasher().verify('wrong', undefined)));
      }
      // What skips the work answers hundreds of times faster.
      expect(without).to.be.within(withHash / 3 - 1, withHash * 3 + 1);
    });

    it('keeps many calls at once apart', async () => {
      const passwords = Array.from({ length: 12 }, (_, i) => `password ${i}`);
      const hashes = await Promise.all(passwords.map((password) => hasher().hash(password)));
      expect(new Set(hashes).size).to.equal(12);
      const verified = await Promise.all(hashes.map((hash, i) => hasher().verify(passwords[i] ?? '', hash)));
      const crossed = await Promise.all(hashes.map((hash, i) => hasher().verify(passwords[(i + 1) % 12] ?? '', hash)));
      expect([new Set(verified), new Set(crossed)]).to.deep.equal([new Set([true]), new Set([false])]);
    });
  });
};
