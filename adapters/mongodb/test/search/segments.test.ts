import { searchTokens } from '@palimpsest/core';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { prefixTerm, termsOfToken, wordTerm } from '../../src/search/index-terms.ts';
import { byRank, mergePage, neededRange, type Ranked } from '../../src/search/ranking.ts';
import { SEGMENT_LIMITS, segmentsOf, wordsOf, type Segment } from '../../src/search/segments.ts';

const MAX_KEYS = 100_000; // MongoDB's limit for one document

const segmentsIn = async (text: string): Promise<readonly Segment[]> => {
  const segments: Segment[] = [];
  for await (const segment of segmentsOf(text)) segments.push(segment);
  return segments;
};
const countTokens = (words: string): number => words.split(' ').filter((word) => word !== '').length;
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ideograph = (i: number): string => String.fromCodePoint(0x10400 + 40 + (i % 40)); // Deseret: four bytes, two units

describe('segmentsOf', function () {
  this.timeout(60_000);

  for (const [kind, words] of [
    [
      'the longest words of the rarest letters',
      Array.from({ length: 12_000 }, (_, i) =>
        String(i)
          .replaceAll(/\d/g, (digit) => ideograph(Number(digit)))
          .padStart(128, ideograph(11)),
      ),
    ],
    [
      'every word of three letters',
      Array.from(
        { length: 36 ** 3 },
        (_, i) =>
          `${letters[i % 36] ?? ''}${letters[Math.floor(i / 36) % 36] ?? ''}${letters[Math.floor(i / 1296)] ?? ''}`,
      ),
    ],
    ['one long word', Array.from({ length: 12_000 }, () => 'x'.repeat(64))],
  ] as const) {
    it(`returns the whole text in segments that are longer than a phrase and fit in one record: ${kind}`, async () => {
      const text = words.join(' ');
      const segments = await segmentsIn(text);
      expect(segments).to.have.length.above(kind === 'every word of three letters' ? 0 : 1);
      expect(segments.map((segment) => segment.words).join('')).to.equal(wordsOf(searchTokens(text)));
      for (const [i, { words: own, after, terms }] of segments.entries()) {
        const following = segments
          .slice(i + 1)
          .map((segment) => segment.words)
          .join('');
        expect(following.startsWith(after)).to.equal(true);
        expect(countTokens(after)).to.equal(Math.min(SEGMENT_LIMITS.phraseTokens, countTokens(following)));
        if (following !== '') expect(countTokens(own)).to.be.above(SEGMENT_LIMITS.phraseTokens);
        expect(terms.split(' ')).to.have.length.below(MAX_KEYS);
        // A comparison by `deep.equal` takes seconds for sets of this size.
        const tokens = own.split(' ').filter((word) => word !== '');
        expect(terms.split(' ').toSorted().join(' ')).to.equal(
          [...new Set(tokens.flatMap(termsOfToken))].toSorted().join(' '),
        );
      }
    });
  }

  it('returns no segment for a text without words', async () => {
    for (const text of ['', ' ', '!?', '\0']) expect(await segmentsIn(text)).to.deep.equal([]);
  });
});

describe('wordTerm and prefixTerm', () => {
  it('consist of lower-case letters and digits, and differ for different tokens of up to 16 characters', () => {
    const token = fc.string({
      unit: fc.oneof(
        fc.constantFrom('a', 'z', '0', 'é', '東'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      minLength: 1,
      maxLength: 16,
    });
    const property = fc.property(token, token, (a, b) => {
      expect(wordTerm(a)).to.match(/^w[0-9a-z]+$/);
      expect(wordTerm(a) === wordTerm(b)).to.equal(a === b);
      expect(termsOfToken(a)).to.include(wordTerm(a));
      const beginning = prefixTerm(a);
      expect(beginning === undefined).to.equal([...a].length < 3);
      if (beginning !== undefined) expect(beginning).to.equal(`b${wordTerm([...a].slice(0, 3).join('')).slice(1)}`);
    });
    fc.assert(property);
  });
});

describe('mergePage', () => {
  it('returns the same page as sorting all entries', () => {
    const ranked: fc.Arbitrary<Omit<Ranked, '_id'>> = fc.record({
      titles: fc.nat(1),
      filenames: fc.nat(1),
      frequency: fc.nat(2),
      receivedAt: fc.nat(2),
    });
    const lists = fc.tuple(
      fc.array(ranked, { maxLength: 12 }),
      fc.array(ranked, { maxLength: 5 }),
      fc.nat(18),
      fc.integer({ min: 1, max: 6 }),
    );
    const property = fc.property(lists, ([many, few, offset, limit]) => {
      const all = [...many, ...few].map((each, i) => ({ ...each, _id: String(i).padStart(2, '0') }));
      const [inOrder, others] = [all.slice(0, many.length).sort(byRank), all.slice(many.length)];
      const needed = neededRange(others.length, offset, limit);
      const given = inOrder.slice(needed.skip, needed.skip + needed.limit);
      expect(mergePage(given, others, { skip: needed.skip, offset, limit })).to.deep.equal(
        all.sort(byRank).slice(offset, offset + limit),
      );
    });
    fc.assert(property, { numRuns: 1000 });
  });
});
