import { createHash, createHmac } from 'node:crypto';
import type { SecretTokens } from '@palimpsest/core';
import { expect } from 'chai';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';
import { strangeTexts, unknownIds } from '../kit/samples.ts';

const countedSeeds = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `seed ${i}`);

const alike = [
  'a',
  'A',
  'a ',
  ' a',
  'a\0',
  '\0a',
  'aa',
  'ab',
  'b',
  'ba',
  '\u00e9',
  'e\u0301',
  '\ufffd',
  '\ud800',
  '\ud801',
  '\udc00',
  '\u0161',
  'a\ud800',
];

// All different, most of them almost alike.
const seeds: readonly string[] = [
  ...new Set([
    ...strangeTexts,
    ...unknownIds,
    ...countedSeeds(1000),
    ...alike,
    ...[63, 64, 65, 72, 73, 1000, 1001].map((length) => 'x'.repeat(length)),
    `${'x'.repeat(1000)}y`,
  ]),
];

const bytesOf = (secret: string): Buffer => Buffer.from(secret, 'base64url');

const xor = (a: Buffer, b: Buffer): string => Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0))).toString('hex');

/** Hashes of `text` that need no key but what everybody knows. */
const guesses = (text: string, known: readonly string[]): readonly Buffer[] =>
  (['utf8', 'utf16le', 'latin1'] as const).flatMap((encoding) => {
    const bytes = Buffer.from(text, encoding);
    return [
      createHash('sha256').update(bytes).digest(),
      createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest(),
      createHash('sha512').update(bytes).digest().subarray(0, 32),
      ...['', text, '\0'.repeat(32), ...known].map((key) => createHmac('sha256', key).update(bytes).digest()),
      ...known.map((secret) => createHmac('sha256', bytesOf(secret)).update(bytes).digest()),
      ...known.map((secret) => createHash('sha256').update(bytesOf(secret)).update(bytes).digest()),
    ];
  });

/** The rank of a matrix of bits, a row of it per number: how many of the rows are no sum (XOR) of others. */
const rankOf = (rows: readonly bigint[]): number => {
  const pivots: bigint[] = []; // each without the leading bits of those before it
  for (const row of rows) {
    const rest = pivots.reduce((left, pivot) => ((left ^ pivot) < left ? left ^ pivot : left), row);
    if (rest !== 0n) pivots.push(rest);
  }
  return pivots.length;
};

/** Secrets derived from seeds. `open` gives the adapter another key each time, and a second handle the same one. */
export const describeDerivedSecrets = (name: string, open: Open<SecretTokens>, without: Without): void =>
  void describe(`The derived secrets of ${name}`, () => {
    const opened = openForEach(open);
    const derive = (seed: string): string => opened().subject.derive(seed);

    it('are 43 URL-safe characters that stand for 256 bits', () => {
      for (const seed of seeds) {
        const secret = derive(seed);
        expect(secret, seed).to.match(/^[A-Za-z0-9_-]{43}$/);
        expect(bytesOf(secret).toString('base64url'), seed).to.equal(secret);
        expect(bytesOf(secret)).to.have.length(32);
      }
    });

    it('are the same for the same seed, whatever was derived or made in between', () => {
      const first = seeds.map(derive);
      opened().subject.next();
      opened().subject.digest('seed 1');
      expect(seeds.toReversed().map(derive).toReversed()).to.deep.equal(first);
    });

    it('are different for seeds that differ, however little', () => {
      expect(new Set(seeds.map(derive)).size).to.equal(seeds.length);
    });

    it('are not what a hash of the seed gives to everybody, nor one under another secret', () => {
      const { subject: secrets } = opened();
      const known = ['seed 0', 'seed 1'].flatMap((seed) => [derive(seed), secrets.digest(derive(seed))]);
      for (const seed of ['', 'seed 2', 'refresh seed 2', derive('seed 2'), 'é😀']) {
        const secret = derive(seed);
        expect(guesses(seed, known).map((guess) => guess.toString('base64url'))).to.not.include(secret);
        expect(secret).to.not.equal(secrets.digest(seed).slice(0, 43));
        expect(derive(secrets.digest(seed))).to.not.equal(secret);
      }
    });

    it('are not to be had from another secret and a hash of both seeds', () => {
      const [one, other] = ['seed 0', 'seed 1'];
      const difference = xor(bytesOf(derive(one)), bytesOf(derive(other)));
      const others = guesses(other, []);
      for (const [i, guess] of guesses(one, []).entries())
        expect(xor(guess, others[i] ?? guess)).to.not.equal(difference);
    });

    it('do not go from one another by what their seeds have in common', () => {
      const [a, b, ab, both] = ['a', 'b', 'ab', ''].map((seed) => bytesOf(derive(seed)));
      if (!a || !b || !ab || !both) throw new Error('No secrets');
      expect(xor(a, b)).to.not.equal(xor(ab, both));
      const neighbours = countedSeeds(200).map((seed) => bytesOf(derive(seed)));
      const differences = neighbours.slice(1).map((bytes, i) => xor(bytes, neighbours[i] ?? bytes));
      expect(new Set(differences).size).to.equal(differences.length);
      // No quarter of one is that of another.
      const parts = neighbours.flatMap((bytes) =>
        [0, 8, 16, 24].map((from) => `${from} ${bytes.toString('hex', from, from + 8)}`),
      );
      expect(new Set(parts).size).to.equal(parts.length);
    });

    it('have 256 bits each of which is a coin toss', () => {
      const ones = new Uint32Array(256);
      for (const seed of countedSeeds(10_000)) {
        const bytes = bytesOf(derive(seed));
        for (let bit = 0; bit < 256; bit++) ones[bit] = (ones[bit] ?? 0) + (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1);
      }
      // Ten standard deviations (50) on either side of the half.
      for (const [bit, count] of ones.entries()) expect(count, `bit ${bit}`).to.be.within(4500, 5500);
    });

    it('hold 256 bits none of which follows from the others', () => {
      const [first = 0n, ...others] = countedSeeds(400).map((seed) =>
        BigInt(`0x${bytesOf(derive(seed)).toString('hex')}`),
      );
      // Chance leaves out one of 256 once in 2^143 runs.
      expect(rankOf(others.map((secret) => secret ^ first))).to.equal(256);
    });

    it('are others under another key', async () => {
      const other = await open();
      try {
        const ours = new Set(seeds.map(derive));
        for (const seed of seeds) expect(ours.has(other.subject.derive(seed)), seed).to.equal(false);
      } finally {
        await other.close();
      }
    });

    describeWith('openSecond', opened, without, (second) => {
      it('are the same in another process', async () => {
        const other = await second();
        expect(seeds.map((seed) => other.derive(seed))).to.deep.equal(seeds.map(derive));
      });
    });
  });
