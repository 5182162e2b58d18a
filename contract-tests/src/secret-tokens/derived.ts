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

// All different, most of them similar.
const seeds: readonly string[] = [
  ...new Set([
    ...strangeTexts,
    ...unknownIds,
    ...countedSeeds(200),
    ...alike,
    ...[63, 64, 65, 72, 73, 1000, 1001].map((length) => 'x'.repeat(length)),
    `${'x'.repeat(1000)}y`,
  ]),
];

const bytesOf = (secret: string): Buffer => Buffer.from(secret, 'base64url');

/** Hashes of `text` that an attacker can compute without the key. */
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

/** Tests `derive`. `open` must use a new key each time; a second handle must use the same key. */
export const describeDerivedSecrets = (name: string, open: Open<SecretTokens>, without: Without): void =>
  void describe(`derive of ${name}`, () => {
    const opened = openForEach(open);
    const derive = (seed: string): string => opened().subject.derive(seed);

    it('returns 43 URL-safe characters that encode 256 bits', () => {
      for (const seed of seeds) {
        const secret = derive(seed);
        expect(secret, seed).to.match(/^[A-Za-z0-9_-]{43}$/);
        expect(bytesOf(secret).toString('base64url'), seed).to.equal(secret);
        expect(bytesOf(secret)).to.have.length(32);
      }
    });

    it('returns the same secret for the same seed', () => {
      const first = seeds.map(derive);
      opened().subject.next();
      opened().subject.digest('seed 1');
      expect(seeds.toReversed().map(derive).toReversed()).to.deep.equal(first);
    });

    it('returns different secrets for similar seeds', () => {
      expect(new Set(seeds.map(derive)).size).to.equal(seeds.length);
    });

    it('returns 256 random bits', () => {
      const ones = new Uint32Array(256);
      for (const seed of countedSeeds(2_000)) {
        const bytes = bytesOf(derive(seed));
        for (let bit = 0; bit < 256; bit++) ones[bit] = (ones[bit] ?? 0) + (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1);
        expect(bytes.subarray(0, 16).equals(bytes.subarray(16)), 'both halves are equal').to.equal(false);
      }
      // Ten standard deviations on either side of the mean.
      for (const [bit, count] of ones.entries()) expect(count, `bit ${bit}`).to.be.within(776, 1224);
    });

    it('returns no secret that can be computed from the seed without the key', () => {
      const { subject: secrets } = opened();
      const known = ['seed 0', 'seed 1'].flatMap((seed) => [derive(seed), secrets.digest(derive(seed))]);
      for (const seed of ['', 'seed 2', 'refresh seed 2', derive('seed 2'), 'é😀']) {
        const secret = derive(seed);
        expect(guesses(seed, known).map((guess) => guess.toString('base64url'))).to.not.include(secret);
        expect(secret).to.not.equal(secrets.digest(seed).slice(0, 43));
        expect(derive(secrets.digest(seed))).to.not.equal(secret);
      }
    });

    it('returns other secrets with another key', async () => {
      const other = await open();
      try {
        const ours = new Set(seeds.map(derive));
        for (const seed of seeds) expect(ours.has(other.subject.derive(seed)), seed).to.equal(false);
      } finally {
        await other.close();
      }
    });

    describeWith('openSecond', opened, without, (second) => {
      it('returns the same secret in a second process', async () => {
        const other = await second();
        expect(seeds.map((seed) => other.derive(seed))).to.deep.equal(seeds.map(derive));
      });
    });
  });
