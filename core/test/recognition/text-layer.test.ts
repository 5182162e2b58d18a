import { expect } from 'chai';
import { isUsableTextLayer, scoreReading } from '@palimpsest/core';

describe('isUsableTextLayer', () => {
  const isUsable = (text: string): boolean => isUsableTextLayer({ text });

  it('accepts a text of twenty letters in any script', () => {
    expect(isUsable('A sentence that was typed.')).to.equal(true);
    expect(isUsable('吾輩は猫である。名前はまだ無い。どこで生れたか頓と見当がつかぬ。')).to.equal(true);
    expect(isUsable('Invoice 2026-11-21\n1,204.50')).to.equal(true);
  });

  it('refuses a stamp, a page number and an empty text', () => {
    for (const text of ['', ' \n ', '17', 'Scanned by X', '. . . . . . . . . . . . . . . . . . . . . . . .'])
      expect(isUsable(text)).to.equal(false);
  });

  it('refuses the output of fonts without a Unicode mapping', () => {
    expect(isUsable('\u0001\u0002\u0003abc'.repeat(20))).to.equal(false);
    expect(isUsable('\uFFFD'.repeat(200) + 'and some letters after all of it')).to.equal(false);
    expect(isUsable('\uE001\uE002 letters '.repeat(20))).to.equal(false);
  });

  it('accepts a few broken characters in a long text, and line ends', () => {
    expect(isUsable(`${'a line of plain text\r\n'.repeat(20)}\uFFFD`)).to.equal(true);
  });
});

describe('scoreReading', () => {
  const reading = (...words: [string, number][]) => ({
    text: '',
    confidence: 0,
    words: words.map(([text, confidence]) => ({ text, confidence, bbox: [0, 0, 1, 1] as const, line: 0, block: 0 })),
  });

  it('weights letters by confidence, and ignores doubtful words', () => {
    expect(scoreReading(reading(['word', 0.9]))).to.be.closeTo(2, 1e-9);
    expect(scoreReading(reading(['word', 0.9], ['~~;', 0.9], ['noise', 0.59]))).to.be.closeTo(2, 1e-9);
    expect(scoreReading(reading())).to.equal(0);
  });
});
