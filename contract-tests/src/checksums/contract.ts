import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Checksums } from '@palimpsest/core';
import { openOnce, type Open } from '../kit/harness.ts';

// FIPS 180-4 examples, as NIST publishes them.
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const TWO_BLOCKS = '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1';

/** Tests every promise of {@link Checksums}. */
export const describeChecksums = (name: string, open: Open<Checksums>): void => {
  describe(`${name}, a Checksums`, () => {
    const opened = openOnce(open);
    const sha256 = (...chunks: readonly (string | Uint8Array)[]): string => {
      const sum = opened().subject.sha256();
      for (const chunk of chunks) sum.update(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      return sum.hex();
    };

    it('returns the SHA-256 of the published examples in lowercase hexadecimal', () => {
      expect(sha256()).to.equal(EMPTY);
      expect(sha256('')).to.equal(EMPTY);
      expect(sha256('abc')).to.equal(ABC);
      expect(sha256('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).to.equal(TWO_BLOCKS);
    });

    it('returns the same checksum for the same bytes in any chunks', () => {
      const bytes = randomBytes(1000);
      const expected = createHash('sha256').update(bytes).digest('hex');
      for (let cut = 0; cut <= 1000; cut += 7)
        expect(sha256(bytes.subarray(0, cut), bytes.subarray(cut))).to.equal(expected);
      expect(sha256(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).to.equal(expected);
    });

    it('returns different checksums for another order of bytes and for a NUL at either end', () => {
      const sums = [sha256('ab'), sha256('ba'), sha256('ab', '\0'), sha256('\0', 'ab')];
      expect(new Set(sums).size).to.equal(4);
    });

    it('copies the bytes, so that the caller may reuse the buffer', () => {
      const buffer = Buffer.from('abc');
      const sum = opened().subject.sha256();
      sum.update(buffer);
      buffer.fill(0);
      expect(sum.hex()).to.equal(ABC);
    });

    it('reads only the given part of a larger buffer', () => {
      expect(sha256(Buffer.from('xxabcxx').subarray(2, 5))).to.equal(ABC);
    });

    it('computes several checksums at the same time', () => {
      const [one, two] = [opened().subject.sha256(), opened().subject.sha256()];
      one.update(Buffer.from('ab'));
      two.update(Buffer.from('zz'));
      one.update(Buffer.from('c'));
      expect(one.hex()).to.equal(ABC);
      expect(two.hex()).to.equal(createHash('sha256').update('zz').digest('hex'));
    });
  });
};
