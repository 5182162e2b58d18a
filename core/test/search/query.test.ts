import {
  AppError,
  clientSearchQuery,
  countOccurrences,
  matches,
  parseSearchQuery,
  searchTokens,
  type SearchQuery,
} from '@palimpsest/core';
import { expect } from 'chai';
import * as fc from 'fast-check';

// A query as one line: + between the tokens of a term, * after a prefix, - before an exclusion.
const inShort = ({ all, none }: SearchQuery): string =>
  [...all.map((term) => ['', term] as const), ...none.map((term) => ['-', term] as const)]
    .map(([sign, { tokens, isPrefix }]) => `${sign}${tokens.join('+')}${isPrefix ? '*' : ''}`)
    .join(' ');

describe('a search query', () => {
  const cases: readonly (readonly [q: string, meaning: string])[] = [
    ['hello World', 'hello world'],
    ['"a phrase" word', 'a+phrase word'],
    ['pre* "foo ba"*', 'pre* foo+ba*'],
    ['a -b -c* -"d e" -"f g"* h', 'a h -b -c* -d+e -f+g*'],
    ['e-mail 2024/001 東京都 x_y', 'e+mail 2024+001 東+京+都 x+y'],
    ['-e-mail e-mail*', 'e+mail* -e+mail'],
    // only signs
    ['', ''],
    [' ', ''],
    ['"', ''],
    ['-', ''],
    ['*', ''],
    ['""', ''],
    ['-""', ''],
    ['- * " -" -', ''],
    ['(', ''],
    ["'", ''],
    ['%', ''],
    ['_', ''],
    ['\\', ''],
    ['😀', ''],
    ['-😀', ''],
    ['\0', ''],
    // quotes
    ['hello"', 'hello'],
    ['"never closed -x y*', 'never+closed+x+y'],
    ['"a *b c*"', 'a+b+c'],
    ['a"b c"d', 'a b+c d'],
    ['-"a', '-a'],
    ['„foo bar“ “x y” «s t» ＂a b＂ "c d”', 'foo+bar x+y s+t a+b c+d'],
    ['-„foo bar“', '-foo+bar'],
    ['"a."* "b" *', 'a* b'],
    // stars
    ['fo*ba', 'fo+ba'],
    ['*fo', 'fo'],
    ['fo.*', 'fo'],
    ['fo*.', 'fo*'],
    ['fo**', 'fo*'],
    ['fo *', 'fo'],
    ['fo＊', 'fo*'],
    ['é*', 'e*'],
    ['東京*', '東+京*'],
    // minuses
    ['a-b', 'a+b'],
    ['--a', 'a'],
    ['- a', 'a'],
    ['-(a)', 'a'],
    ['a -', 'a'],
    ['–a —b ‐c', 'a b c'],
    ['－a', '-a'],
    ['a\t-b\n-c', 'a -b -c'],
    ['"a"-b', 'a b'],
    ['a-"b"', 'a b'],
    ['-5', '-5'],
    // operators of other query languages
    ['NEAR(', 'near'],
    ['NEAR(a b, 5)', 'near+a b 5'],
    ['hello AND', 'hello and'],
    ['a OR b', 'a or b'],
    ['NOT a', 'not a'],
    ['-hello', '-hello'],
    ['owner:u2', 'owner+u2'],
    ['^a', 'a'],
    ['{text}:', 'text'],
    ['text : a', 'text a'],
    ['he*', 'he*'],
    ['a + b', 'a b'],
    ['100%', '100'],
    ['%a%', 'a'],
    ['a_b', 'a+b'],
    ['_', ''],
    ['\\\\', ''],
    ['a\\%', 'a'],
    ['(a+)+$', 'a'],
    ['.*.*.*x', 'x'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a+z+a+z+a+z'],
    ['{"$gt":""}', 'gt'],
    ['[$ne]', 'ne'],
    ['$where', 'where'],
    ["'; DROP TABLE search; --", 'drop table search'],
    ['a\0b', 'a+b'],
    ['\ud800a', 'a'],
    ['<script>alert(1)</script>', 'script+alert+1+script'],
    // repeated terms
    ['a A á "a" a* -b -B', 'a a* -b'],
    ['a -a', 'a -a'],
    ['a b b a', 'a b'],
  ];
  for (const [q, meaning] of cases) {
    it(`${JSON.stringify(q)} means ${meaning === '' ? 'nothing' : meaning}`, () => {
      expect(inShort(parseSearchQuery(q))).to.equal(meaning);
    });
  }

  it('folds its terms as texts are folded, and never throws', () => {
    const signs = fc.constantFrom(
      '"',
      '-',
      '*',
      ' ',
      'a',
      'É',
      '東',
      '„',
      '“',
      '(',
      'OR',
      '\0',
      '\ud800',
      '\n',
      'ab',
      '½',
      '＊',
      '－',
    );
    const anyQuery = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(signs, { maxLength: 60 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(anyQuery, (q) => {
        const { all, none } = parseSearchQuery(q);
        const terms = [...all, ...none];
        for (const { tokens } of terms) expect(searchTokens(tokens.join(' '))).to.deep.equal(tokens).and.not.be.empty;
        for (const side of [all, none])
          expect(new Set(side.map((term) => inShort({ all: [term], none: [] }))).size).to.equal(side.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps every word of its input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (q) => {
        const { all, none } = parseSearchQuery(q);
        expect(new Set([...all, ...none].flatMap(({ tokens }) => tokens))).to.deep.equal(new Set(searchTokens(q)));
      }),
      { numRuns: 1000 },
    );
  });

  it('of a client is refused if it is blank or has more than 500 characters (code points)', () => {
    for (const q of ['a', ' a ', '*', '\0', 'a'.repeat(500), '😀'.repeat(500)])
      expect(clientSearchQuery(q)).to.deep.equal(parseSearchQuery(q));
    for (const q of [
      '',
      ' ',
      '\n\t\u3000',
      'a'.repeat(501),
      '😀'.repeat(501),
      'a'.repeat(1_000_000),
      ` ${'a'.repeat(500)}`,
    ]) {
      expect(() => clientSearchQuery(q))
        .to.throw(AppError, /^q: /)
        .with.property('code', 'VALIDATION_ERROR');
    }
  });

  it('of a client is refused if it has more than 32 different words, words of phrases and exclusions counted', () => {
    const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
    const accepted = [words(32), `"${words(32)}"`, `${words(16)} -"${words(16)}"`, 'a '.repeat(250), '東'.repeat(32)];
    for (const q of accepted) expect(clientSearchQuery(q), q).to.deep.equal(parseSearchQuery(q));
    for (const q of [words(33), `"${words(33)}"`, `${words(16)} -"${words(17)}"`, 'a.'.repeat(33), '東'.repeat(33)]) {
      expect(() => clientSearchQuery(q), q)
        .to.throw(AppError, /^q: use at most 32 words/)
        .with.property('code', 'VALIDATION_ERROR');
    }
  });
});

describe('a match of a search query', () => {
  const isFound = (q: string, ...fields: readonly string[]): boolean =>
    matches(parseSearchQuery(q), fields.map(searchTokens));

  it('requires every word, in any of the fields', () => {
    expect(isFound('white whale', 'The Whale', 'white.pdf', '')).to.equal(true);
    expect(isFound('white whale', 'The Whale', 'black.pdf', '')).to.equal(false);
    expect(isFound('whal', 'The Whale')).to.equal(false);
  });

  it('requires the words of a phrase one after the other, in one field', () => {
    expect(isFound('"white whale"', 'A White, whale!')).to.equal(true);
    expect(isFound('"white whale"', 'whale white')).to.equal(false);
    expect(isFound('"white whale"', 'white', 'whale')).to.equal(false);
    expect(isFound('京都', '東京都')).to.equal(true);
    expect(isFound('東都', '東京都')).to.equal(false);
  });

  it('requires a word that begins with a prefix', () => {
    expect(isFound('wha*', 'whale')).to.equal(true);
    expect(isFound('whale*', 'whale')).to.equal(true);
    expect(isFound('hal*', 'whale')).to.equal(false);
    expect(isFound('"white wha"*', 'white whale')).to.equal(true);
    expect(isFound('"whi wha"*', 'white whale')).to.equal(false);
  });

  it('has no excluded word, phrase or prefix', () => {
    expect(isFound('whale -white', 'whale', 'white')).to.equal(false);
    expect(isFound('whale -"white whale"', 'whale white')).to.equal(true);
    expect(isFound('-white', 'whale')).to.equal(true);
    expect(isFound('-wh*', 'whale')).to.equal(false);
  });

  it('is any document if the query has no terms', () => {
    expect(isFound('', 'whale')).to.equal(true);
  });

  it('counts each occurrence of a term, overlaps included', () => {
    const [aa, a] = parseSearchQuery('"a a" a*').all;
    if (aa === undefined || a === undefined) throw new TypeError('two terms were expected');
    expect([
      countOccurrences(aa, ['a', 'a', 'a', 'b', 'a', 'a']),
      countOccurrences(a, ['a', 'ab', 'b', 'a']),
      countOccurrences(a, []),
    ]).to.deep.equal([3, 3, 0]);
  });

  it('counts as many occurrences as a comparison at every position', () => {
    const word = fc.constantFrom('a', 'b', 'ab', 'aa');
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        fc.array(word, { maxLength: 20 }),
        (tokens, isPrefix, text) => {
          const fits = (at: number): boolean =>
            tokens.every((token, i) =>
              isPrefix && i === tokens.length - 1 ? text[at + i]?.startsWith(token) : text[at + i] === token,
            );
          expect(countOccurrences({ tokens, isPrefix }, text)).to.equal(text.filter((_, at) => fits(at)).length);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is found in linear time for a phrase of 20,000 words in a text of 300,000', () => {
    const text = Array.from({ length: 300_000 }, () => 'a');
    expect(countOccurrences({ tokens: [...text.slice(0, 20_000), 'b'], isPrefix: false }, text)).to.equal(0);
  });
});
