import { expect } from 'chai';
import { glyphlessFont } from '../src/glyphless-font.ts';
import { printable, visualOrder } from '../src/word-text.ts';

describe('the order in which a word is drawn', () => {
  for (const [text, drawn] of [
    ['word', 'word'],
    ['٢٠٢٠', '٢٠٢٠'],
    ['אבג', 'גבא'],
    ['אב!', '!בא'],
    ['(אב)', ')בא('],
    ['ב-2020', '-2020ב'],
    ['2א', 'א2'],
    ['ab-אב', 'ab-בא'],
    ['אב-ab', '-abבא'],
    ['שָׁ', '\u05c1\u05b8ש'],
    ['😀א😀', '😀א😀'],
  ] as const) {
    it(`of ${text} is ${drawn}`, () => expect(visualOrder(text).join('')).to.equal(drawn));
  }

  it('is found in no time for very long words', () => {
    const begun = performance.now();
    visualOrder(`א${'-'.repeat(100_000)}`);
    expect(performance.now() - begun).to.be.below(2000);
  });
});

describe('what can be written of a word', () => {
  for (const [text, written] of [
    ['a\0b\u001b', 'ab'],
    ['\ud800', '\ufffd'],
    [' a \n b ', 'a b'],
    ['\u202eab\u200f', 'ab'],
    ['co\u00adop', 'co-op'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['\ufeff', ''],
    ['', ''],
  ] as const) {
    it(`is ${JSON.stringify(written)} of ${JSON.stringify(text)}`, () => expect(printable(text)).to.equal(written));
  }
});

describe('the font without glyphs', () => {
  it('has the sum that a TrueType font has to have, and its tables in order', () => {
    const font = Buffer.from(glyphlessFont());
    let sum = 0;
    for (let at = 0; at < font.length; at += 4) sum = (sum + font.readUInt32BE(at)) >>> 0;
    expect(sum.toString(16)).to.equal('b1b0afba');
    const tags = Array.from({ length: font.readUInt16BE(4) }, (_, i) =>
      font.toString('latin1', 12 + 16 * i, 16 + 16 * i),
    );
    expect(tags).to.deep.equal(tags.toSorted());
    expect(tags).to.include.members(['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp']);
  });
});
