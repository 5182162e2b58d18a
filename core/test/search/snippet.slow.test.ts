import { clientSearchQuery, searchTokens } from '@palimpsest/core';
import { expect } from 'chai';
import { filler, marked, snippet, snippetOf } from './marked-snippet.ts';

describe('snippetOf for long texts', () => {
  it('finds a match beside every character that folds into several', () => {
    const wrong: string[] = [];
    for (let codePoint = 0x80; codePoint < 0x2_0000; codePoint++) {
      const text = `a${String.fromCodePoint(codePoint)}b`;
      const folded = text.normalize('NFKD');
      if (folded.length <= text.length) continue;
      for (const token of searchTokens(text)) {
        if (
          snippetOf({ all: [{ tokens: [token], isPrefix: false }], none: [] }, { title: 'b a', filename: '', text })
            .text !== text
        )
          wrong.push(codePoint.toString(16));
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('finds a match in a long text after any content, in linear time', () => {
    // A quadratic step would take minutes here.
    for (const before of ['the white ', 'a', 'über ', '東京都', '\u0301', ' ', '-', 'the, ', '½ ', 'क\u093f']) {
      const text = `${before.repeat((before === '½ ' ? 300_000 : 450_000) / before.length)} the whale `; // fractions cost the most
      expect(marked('"the whale"', text), before).to.include('[the whale]');
      expect(marked('the* whale', text), before).to.include('[whale]');
    }
  }).timeout(120_000);

  const LENGTH = 5 * 1024 * 1024;
  const filled = (part: string): string =>
    part
      .repeat(Math.ceil(LENGTH / part.length))
      .slice(0, LENGTH)
      .toWellFormed();
  const eight = (word: (i: number) => string): string => Array.from({ length: 8 }, (_, i) => word(i)).join(' ');
  const phrases = eight((i) => `"a a a ${i}"`);

  // Texts and queries that make one step of the search expensive.
  const hostile: readonly (readonly [what: string, text: string, q: string])[] = [
    ['phrases that almost match everywhere', filled('a '), phrases],
    ['phrases of which one occurs', `a a a 0 ${filled('a ')}`, phrases],
    [
      'phrases that almost match in a script without spaces',
      filled('東'),
      eight((i) => `東東東${String.fromCharCode(0x4eac + i)}`),
    ],
    ['a long phrase that almost matches', filled('東'), `${'東'.repeat(31)}京`],
    ['a phrase that begins again and again', filled('a b a b a '), `"a b a b a c" ${phrases.slice(0, 60)}`],
    ['fractions', filled('½ a '), phrases],
    ['fractions without blanks', filled('½'), phrases],
    ['a ligature of many words', filled('ﷺ'), phrases],
    [
      'many prefixes of each word, and one that does not occur',
      filled('aaaaaaaaaaaaaaaaaaa ½ '),
      `${Array.from({ length: 19 }, (_, i) => `${'a'.repeat(i + 1)}*`).join(' ')} zz`,
    ],
    [
      'words that differ at their ends',
      filled(`${'a'.repeat(63)} `),
      Array.from({ length: 7 }, (_, i) => `${'a'.repeat(60)}${i}`).join(' '),
    ],
    ['accents that normalization reorders', `a${filled('\u0301\u0323')}`, 'whale'],
    ['accents of letters beyond the basic plane', `a${filled('\u{1d165}\u{1d16d}')}`, 'whale'],
    ['accents alone', filled('\u0301'), 'whale'],
    ['signs between two words', `a${filled('—')} b`, '"a b"'],
    ['signs between many words', filled(`a${'-'.repeat(16_000)}`), phrases],
    ['one word', filled('ж'), 'ж x'],
    ['invisible characters', filled('\u200d'), 'whale'],
    ['decomposed Hangul', filled('\u1112\u1161\u11ab'), 'whale'],
    ['Cyrillic without the word', filled('Это русский текст, и ещё '), 'whale'],
    ['blanks', filled(' '), 'whale'],
    ['a long phrase', filled('a '), `"${'a '.repeat(31)}b"`],
  ];

  const cpuMs = (action: () => void): number => {
    const before = process.cpuUsage();
    action();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };

  it('has a bounded cost for any text and any query of a client', () => {
    // The limit is relative to one pass over a plain text. Without a bound, some of these cases take seconds, some hours.
    const plainMs = Math.max(...[1, 2].map(() => cpuMs(() => void searchTokens(filled('東京 a plain text ')))));
    for (const [what, text, q] of hostile) {
      const fields = { title: 'A title', filename: 'file.pdf', text };
      const query = clientSearchQuery(q);
      text.charCodeAt(LENGTH / 2); // makes the engine flatten the concatenated string before the measurement
      expect(
        cpuMs(() => void snippetOf(query, fields)),
        what,
      ).to.be.below(500 + 5 * plainMs);
    }
  }).timeout(120_000);

  it('shows the title or the file name if a long text does not match', () => {
    for (const text of ['a ', '東', '½ a ', '½', 'ﷺ', '—', 'ж', '\u200d', '\u1112\u1161\u11ab'].map(filled)) {
      expect(marked(phrases, text, 'of a a a 7')).to.equal('of [a a a 7]');
      expect(marked(phrases, text, 'a a b', 'of_a_a_a_7.pdf')).to.equal('of_[a_a_a_7].pdf');
    }
  }).timeout(60_000);

  it('shows only matches among the first 500,000 words of a text', () => {
    expect(marked(phrases, `a a a 0 ${filled('a ')}`)).to.match(/^\[a a a 0\] a a/);
    expect(marked('whale', filled(filler), 'The whale')).to.equal('The [whale]');
    const words = 'a '.repeat(499_999);
    expect(marked('whale', `${words}whale`, 'A whale')).to.match(/ \[whale\]$/);
    expect(marked('whale', `${words}a whale`, 'A whale')).to.equal('A [whale]');
    expect(snippet(phrases, filled('a ')).text).to.match(/^a a a .*a…$/);
  });
});
