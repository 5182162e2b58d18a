import { collectChanges, wordsOf } from '@palimpsest/core';
import { expect } from 'chai';

const words = (text: string): readonly string[] => Array.from(wordsOf(text), ([word]) => word);

describe('wordsOf', () => {
  it('returns runs of letters and digits, and each other character alone', () => {
    expect(words('')).to.deep.equal([]);
    expect(words(' \t\r\n\u00a0\u2028')).to.deep.equal([]);
    expect(words('It’s 3.14 (or_so), A1-b2…').join(' ')).to.equal('It ’ s 3 . 14 ( or_so ) , A1 - b2 …');
    expect(words('Straße ΑΒΓ слово مرحبا שלום हिन्दी 한국어')).to.deep.equal([
      'Straße',
      'ΑΒΓ',
      'слово',
      'مرحبا',
      'שלום',
      'हिन्दी',
      '한국어',
    ]);
  });

  it('returns each character in scripts without spaces', () => {
    expect(words('東京へ2024年カー')).to.deep.equal(['東', '京', 'へ', '2024', '年', 'カ', 'ー']);
    expect(words('น้ำใจ ກຳ က္က')).to.deep.equal(['น้ำ', 'ใ', 'จ', 'ກຳ', 'က္က']);
  });

  it('never divides a grapheme cluster', () => {
    expect(words('e\u0301=\u0338 👩‍👩‍👧👍🏽🇩🇪🇫🇷1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿')).to.deep.equal([
      'e\u0301',
      '=\u0338',
      '👩‍👩‍👧',
      '👍🏽',
      '🇩🇪',
      '🇫🇷',
      '1️⃣',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    ]);
    expect(words('a \u0301 b\n\u0301')).to.deep.equal(['a', ' \u0301', 'b', '\u0301']);
    const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
    for (const text of [
      'ﾊﾞﾞ',
      '각',
      'நி',
      'กำ',
      '\u200d👩',
      'a\u200d👩',
      '🇩🇪🇫',
      '\ud800\u0301',
      '❤️‍🔥',
      '\r\n\u0301',
      'か\u3099',
    ]) {
      const places = new Set(Array.from(graphemes.segment(text), ({ index }) => index));
      for (const { index } of wordsOf(text)) expect(places.has(index), JSON.stringify(text)).to.equal(true);
    }
  });

  it('finds words lazily', () => {
    const found = wordsOf('word '.repeat(1_000_000));
    expect(found.next().value?.[0]).to.equal('word');
    expect(found.next().value?.index).to.equal(5);
  });

  it('finds the words of any text in linear time', () => {
    for (const text of ['x', ' ', '\u0301', '\u200d', '👩\u200d', '🇩', 'က္', '\u0e33', '.\u0301']) {
      expect(words(text.repeat(20_000)).length).to.be.below(20_001);
    }
  });
});

describe('collectChanges', () => {
  it('returns both texts as one change without kept words', () => {
    expect(collectChanges('', '').end()).to.deep.equal([]);
    expect(collectChanges('one', 'two').end()).to.deep.equal([
      { op: 'delete', text: 'one' },
      { op: 'insert', text: 'two' },
    ]);
  });

  it('keeps common white space around a change', () => {
    const changes = collectChanges('a \r\n b c', 'a \r\n x y c');
    changes.keep(0, 0, 1);
    changes.keep(7, 9, 1);
    expect(changes.end()).to.deep.equal([
      { op: 'equal', text: 'a \r\n ' },
      { op: 'delete', text: 'b' },
      { op: 'insert', text: 'x y' },
      { op: 'equal', text: ' c' },
    ]);
  });

  it('counts white space between two kept words once', () => {
    const changes = collectChanges('a  b', 'a b');
    changes.keep(0, 0, 1);
    changes.keep(3, 2, 1);
    expect(changes.end()).to.deep.equal([
      { op: 'equal', text: 'a ' },
      { op: 'delete', text: ' ' },
      { op: 'equal', text: 'b' },
    ]);
  });
});
