import { expect } from 'chai';
import { glyphlessFont } from '../src/glyphless-font.ts';
import { printable, visualOrder } from '../src/word-text.ts';

describe('visualOrder', () => {
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
    it(`draws ${text} as ${drawn}`, () => expect(visualOrder(text).join('')).to.equal(drawn));
  }

  it('handles a word of 100,000 characters', () => {
    const text = `א${'-'.repeat(100_000)}`;
    expect(visualOrder(text)).to.have.length(100_001);
  });
});

describe('printable', () => {
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
    it(`turns ${JSON.stringify(text)} into ${JSON.stringify(written)}`, () =>
      expect(printable(text)).to.equal(written));
  }
});

describe('glyphlessFont', () => {
  it('has the checksum of a TrueType font and sorted tables', () => {
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
