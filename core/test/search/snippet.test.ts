import { countOccurrences, MAX_SNIPPET_LENGTH, placedTokens, searchTokens } from '@palimpsest/core';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { filler, marked, snippet, snippetOf } from './marked-snippet.ts';

describe('snippetOf', () => {
  it('shows the matches of the text in whole words', () => {
    expect(marked('whale', 'The white WHALE swims. Whales do.')).to.equal('The white [WHALE] swims. Whales do.');
    expect(marked('whal*', 'The white WHALE swims. Whales do.')).to.equal('The white [WHALE] swims. [Whales] do.');
    expect(marked('"white whale"', 'white, the white  whale')).to.equal('white, the [white whale]');
    expect(marked('cafe', 'Le cafe\u0301, le CAFÉ')).to.equal('Le [cafe\u0301], le [CAFÉ]');
    expect(marked('京都', '東京都庁')).to.equal('東[京都]庁');
    expect(marked('שלום', 'אמר שָׁלוֹם לכם')).to.equal('אמר [שָׁלוֹם] לכם');
    expect(marked('soft', 'so\u00adft')).to.equal('[so\u00adft]');
  });

  it('joins highlights that overlap or touch', () => {
    expect(marked('"a b" "b c"', 'a b c')).to.equal('[a b c]');
    expect(marked('東 京', '東京都')).to.equal('[東京]都');
    expect(marked('1 2', '1½')).to.equal('[1½]');
    expect(marked('a b', 'a b')).to.equal('[a] [b]');
  });

  it('shows the title or the file name if the text has no match', () => {
    expect(marked('whale', filler, 'The whale', 'whale.pdf')).to.equal('The [whale]');
    expect(marked('whale', filler, 'A title', 'my_whale.pdf')).to.equal('my_[whale].pdf');
    expect(marked('title whale', 'no ... whale', 'A title')).to.equal('no ... [whale]');
  });

  it('shows the beginning of the text, or the title, without a match', () => {
    expect(marked('-whale', ' a\n b ')).to.equal('a b');
    expect(marked('-whale', ' \n', 'The title')).to.equal('The title');
    expect(marked('', '', 'The title')).to.equal('The title');
    expect(marked('whale', 'nothing')).to.equal('nothing');
    expect(snippet('-whale', filler).text)
      .to.match(/^Lorem ipsum .*[^ ]…$/)
      .and.to.have.length.within(180, MAX_SNIPPET_LENGTH + 1);
  });

  it('never highlights excluded words', () => {
    expect(marked('a -b -"c d"', 'a b c d')).to.equal('[a] b c d');
  });

  it('is cut at spaces, with ellipses', () => {
    const { text, highlights } = snippet('whale', `${filler}whale ${filler}`);
    expect(text)
      .to.match(/^…\S.*\S…$/)
      .and.to.have.length.within(180, MAX_SNIPPET_LENGTH + 2);
    expect(` ${filler}whale ${filler}`).to.include(` ${text.slice(1, -1)} `);
    expect(highlights.map(([start, end]) => text.slice(start, end))).to.deep.equal(['whale']);
    expect(snippet('whale', `whale ${filler}`).text)
      .to.match(/^whale Lorem.*\S…$/)
      .and.to.have.length.above(180);
    expect(snippet('whale', `${filler}whale \n`).text)
      .to.match(/^…\S.* whale$/)
      .and.to.have.length.above(180);
  });

  it('replaces white space of any kind and length with one space', () => {
    expect(marked('b', '\n a \t\r\n\n b\f\u3000\u2028c ')).to.equal('a [b] c');
    expect(marked('"a b"', `a${'\n'.repeat(500)}b${' '.repeat(5000)}`)).to.equal('[a b]');
  });

  it('is cut between characters in text without spaces', () => {
    for (const character of ['東', '😀', 'e\u0301', '👩‍👩‍👧', '𠮷', 'กี่', 'é\u0323\u0301']) {
      const { text } = snippet('whale', `${character.repeat(500)} whale ${character.repeat(500)}`);
      const shown = text.replace(/^…/, '').replace(/…$/, '').replace('whale', '').replaceAll(' ', '');
      expect(shown.length % character.length, character).to.equal(0);
      expect(shown.replaceAll(character, '')).to.equal('');
    }
  });

  it('shows the earliest passage with the most different words', () => {
    const text = `one ${filler}one two ${filler}one two three ${filler}two, one, three ${filler}`;
    expect(marked('one two three', text)).to.include('[one] [two] [three]');
    expect(marked('two one', text)).to.include(' [one] [two] Lorem');
    expect(marked('three two nothing', text)).to.include('[two] [three]');
    expect(marked('one', text)).to.match(/^\[one\] Lorem/);
    expect(marked('one two', `one ${'x '.repeat(100)}two ${filler} two ${'x '.repeat(50)}one`)).to.match(
      /\[two\].*\[one\]/,
    );
  });

  it('finds a passage at every offset of a long text', () => {
    for (let before = 3800; before < 4500; before += 7) {
      expect(
        marked('"white whale" swims', `${'x '.repeat(before / 2)}the white whale there swims ${'y '.repeat(3000)}`),
      ).to.include('[white whale] there [swims]');
    }
  });

  it('shows the beginning of a match that is too long', () => {
    const words = Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ');
    const { text, highlights } = snippet(`"${words}"`, `${filler}${words} ${filler}`);
    expect(text)
      .to.match(/^…word0 word1 .*\d…$/)
      .and.to.have.length.at.most(MAX_SNIPPET_LENGTH + 2);
    expect(highlights).to.deep.equal([[1, text.length - 1]]);
    expect(marked('a*', 'a'.repeat(10_000))).to.equal(`[${'a'.repeat(MAX_SNIPPET_LENGTH)}]…`);
    expect(marked('"a b"', `a${'-'.repeat(100_000)}b`)).to.match(/^\[a-+\]…$/);
    expect(snippet('a', `a${'\u0301'.repeat(3000)}`).highlights).to.have.length(1);
  });

  const part = fc.oneof(
    fc.constantFrom(
      'the',
      'white',
      'Whale',
      'WHALES',
      'é',
      'e\u0301',
      '東',
      '京',
      '½',
      'ﷺ',
      '™',
      'ŀ',
      '\u00ad',
      '\u200b',
      '-',
      '\n',
      ' ',
      '  ',
      '\f',
      '😀',
      'ก',
      'ำ',
      'क\u093f',
      '한',
      '\0',
      '\ud800',
      'ß',
      'x'.repeat(70),
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const anyText = fc
    .tuple(fc.array(part, { maxLength: 40 }), fc.constantFrom('', ' ', '.'), fc.constantFrom(1, 1, 20, 300))
    .map(([parts, between, times]) => parts.join(between).repeat(times));

  it('has ascending, separate highlights of matches for every matching document', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.integer({ min: 1, max: 3 }), fc.boolean(), (text, at, length, isPrefix) => {
        const tokens = searchTokens(text);
        fc.pre(tokens.length > 0);
        const start = at % tokens.length;
        const term = { tokens: tokens.slice(start, start + length), isPrefix };
        const { text: line, highlights } = snippetOf({ all: [term], none: [] }, { title: '', filename: '', text });
        expect(highlights).to.not.be.empty;
        expect(line.length).to.be.at.most(MAX_SNIPPET_LENGTH + 2);
        let before = -1;
        for (const [from, to] of highlights) {
          expect(from).to.be.above(before);
          expect(to).to.be.within(from + 1, line.length);
          before = to;
          // A match at the end of the snippet may be cut.
          if (to < line.length - 1) expect(countOccurrences(term, searchTokens(line.slice(from, to)))).to.be.above(0);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is one line of well-formed text with whole words highlighted', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.constantFrom('whale', 'e* the', '東 京', '1 "the white"', 'ss white -the', 'x*'),
        (given, q) => {
          const { text, highlights } = snippet(q, given.toWellFormed());
          expect(text.isWellFormed()).to.equal(true);
          expect(text).to.not.match(/[\n\f\t\r]| {2}|^ | $/);
          const inside = highlights.filter(([, end]) => end < text.length - 1);
          const starts = new Set([...placedTokens(text)].map(({ start }) => start));
          const ends = new Set([...placedTokens(text)].map(({ end }) => end));
          for (const [start, end] of inside) expect([starts.has(start), ends.has(end)]).to.deep.equal([true, true]);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
