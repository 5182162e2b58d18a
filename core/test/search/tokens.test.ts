import { MAX_TOKEN_CHARACTERS, placedTokens, searchTokens } from '@palimpsest/core';
import { expect } from 'chai';
import * as fc from 'fast-check';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        'a',
        'É',
        'e\u0301',
        'ß',
        'か',
        '\u3099',
        '\u00ad',
        '\u200b',
        ' ',
        '-',
        '½',
        'ﷺ',
        '日',
        '한',
        '\u1100',
        '\u1161',
        '\u11a8',
        'ก',
        'ำ',
        'क',
        '\u093f',
        '😀',
        '\ud800',
        '\0',
        'ŀ',
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
);

describe('search tokens', () => {
  const cases: readonly (readonly [what: string, text: string, tokens: string])[] = [
    ['are letters and numbers in lower case', 'The QUICK brown fox, 2 of 1,000!', 'the quick brown fox 2 of 1 000'],
    [
      'are separated by all signs',
      'e-mail a_b c\'d x.y@z.org "q" (r) {s}: %t% \\u $v w^2',
      'e mail a b c d x y z org q r s t u v w 2',
    ],
    ['are separated by NUL, controls and lone surrogates', 'a\0b\u0001c\ud800d\udc00e', 'a b c d e'],
    ['are separated by emoji', 'a😀b 👩‍👩‍👧 c🇩🇪d 1️⃣ ❤️', 'a b c d 1'],
    ['are separated by the zero-width space and by direction marks', 'a\u200bb\u200ec\u202ed', 'a b c d'],
    ['are not separated by soft hyphens and joiners', 'so\u00adft j\u200do\u200ci\u2060n\ufeffed', 'soft joined'],
    ['are separated by a hyphen at a line end', 'recog-\nnition', 'recog nition'],
    ['have no diacritics, precomposed', 'É é Å ñ Ç ǘ Việt', 'e e a n c u viet'],
    ['have no diacritics, decomposed', 'É é Å ñ Ç ǘ Việt'.normalize('NFD'), 'e e a n c u viet'],
    ['have ss for sharp s', 'Straße STRASSE STRAẞE', 'strasse strasse strasse'],
    [
      'have the same i with and without a dot',
      'İstanbul ISTANBUL ıstanbul istanbul',
      'istanbul istanbul istanbul istanbul',
    ],
    ['have the same sigma at the end of a word', 'ΣΊΣΥΦΟΣ σίσυφος σισυφοσ', 'σισυφοσ σισυφοσ σισυφοσ'],
    [
      'have plain letters instead of letters with strokes and ligatures',
      'Ø ø Ł ł Đ đ Ħ ħ Ŧ ŧ Æ æ Œ œ Þ þ Ð ð ǿ',
      'o o l l d d h h t t ae ae oe oe th th d d o',
    ],
    ['have the normal width', 'ＡＢＣ１２３ ｶﾞｯ ﾊﾟ', 'abc123 ガ ッ パ'],
    [
      'have no ligatures, superscripts or font variants',
      'ﬁnd ﬄ ſmall Ⅻ m² x₁ ℌ 𝐁𝐨𝐥𝐝',
      'find ffl small xii m2 x1 h bold',
    ],
    ['are several for a number in one character', '½ 1½ ⒈', '1 2 1 1 2 1'],
    ['are several for a phrase in one character', 'ﷺ', 'صلى الله عليه وسلم'],
    ['are single characters in Chinese and Japanese', '東京都 第3章abc カー 々', '東 京 都 第 3 章 abc カ ー 々'],
    ['are single characters of any plane', '𠮷野', '𠮷 野'],
    ['are ideographs instead of radicals', '⼀⾦', '一 金'],
    ['keep kana voicing, in either form', 'がパ か\u3099ハ\u309a', 'が パ が パ'],
    ['have no variation selectors', '葛\u{E0100}飾 ≠\ufe00x', '葛 飾 x'],
    ['are syllables in Korean, in either form', `한국어 ${'한국어'.normalize('NFD')}`, '한 국 어 한 국 어'],
    ['are characters with their marks in Thai', 'กี่ น้ำ', 'กี่ น\u0e49\u0e4d า'],
    ['are characters in Lao, Khmer, Myanmar and Tibetan', 'ລາວ ខ្មែរ မြန် བོད', 'ລ າ ວ ខ្ មែ រ မြ န် བོ ད'],
    ['keep the vowels of Devanagari', 'हिन्दी की कि', 'हिन्दी की कि'],
    ['keep a nukta, in either form', 'क़लम क\u093cलम', 'क\u093cलम क\u093cलम'],
    ['have no Hebrew points', 'שָׁלוֹם שלום', 'שלום שלום'],
    ['have no harakat, tatweel or hamza marks', 'اللُّغَة اللـــغة أحمد', 'اللغة اللغة احمد'],
    ['have no accents in Cyrillic', 'Ёлка ёлка елка', 'елка елка елка'],
    ['do not exist in a text without letters and numbers', ' \t\n\f.,;-*"\'\u0301\u00ad\ufe0f😀', ''],
  ];
  for (const [what, text, tokens] of cases) {
    it(what, () => {
      expect(searchTokens(text)).to.deep.equal(tokens === '' ? [] : tokens.split(' '));
    });
  }

  it('are cut to 64 code points', () => {
    for (const character of ['a', 'ü', '𐐨', 'क']) {
      const [token = '', ...rest] = searchTokens(`${character.repeat(63)}x${character.repeat(50)} `);
      expect([[...token].length, rest.length]).to.deep.equal([MAX_TOKEN_CHARACTERS, 0]);
      expect(searchTokens(`${character.repeat(63)}xyz`)).to.deep.equal([token]);
    }
    expect([...placedTokens(`${'a'.repeat(100)} b`)].map(({ start, end }) => [start, end])).to.deep.equal([
      [0, 100],
      [101, 102],
    ]);
  });

  it('have offsets in the text', () => {
    const text = 'The CAFE\u0301, 東京 so\u00adft 1½ 𠮷';
    const pieces = [...placedTokens(text)].map(({ token, start, end }) => [token, text.slice(start, end)]);
    expect(pieces).to.deep.equal([
      ['the', 'The'],
      ['cafe', 'CAFE\u0301'],
      ['東', '東'],
      ['京', '京'],
      ['soft', 'so\u00adft'],
      ['1', '1'],
      ['1', '½'],
      ['2', '½'],
      ['𠮷', '𠮷'],
    ]);
  });

  it('of a part of a text have offsets in the whole text', () => {
    expect([...placedTokens('one two three four', 4, 13)]).to.deep.equal([
      { token: 'two', start: 4, end: 7 },
      { token: 'three', start: 8, end: 13 },
    ]);
  });

  it('are the same with and without offsets, and occur at their offsets', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const placed = [...placedTokens(text)];
        expect(placed.map(({ token }) => token)).to.deep.equal(searchTokens(text));
        let before = 0;
        for (const { token, start, end } of placed) {
          expect(start).to.be.within(before, end - 1);
          expect(end).to.be.at.most(text.length);
          expect(searchTokens(text.slice(start, end))).to.include(token);
          before = start;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('do not change when they are divided into tokens again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = searchTokens(text);
        expect(searchTokens(tokens.join(' '))).to.deep.equal(tokens);
      }),
      { numRuns: 2000 },
    );
  });

  it('are short, and their ASCII characters are lower-case letters and digits', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const token of searchTokens(text)) {
          expect(token)
            .to.match(/^[a-z0-9\u{80}-\u{10FFFF}]+$/u)
            .and.to.match(/^[\p{L}\p{N}\p{M}]+$/u);
          expect([...token].length).to.be.at.most(MAX_TOKEN_CHARACTERS);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('do not depend on normalization, for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = searchTokens(text);
        expect(searchTokens(text.normalize('NFD'))).to.deep.equal(tokens);
        expect(searchTokens(text.normalize('NFC'))).to.deep.equal(tokens);
      }),
      { numRuns: 2000 },
    );
  });
});
