import { deflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { LAST_LINE, proseText, shortLines } from './long-texts.ts';

const SIZE = 256 * 1024;

describe('the generated texts of the benchmarks', () => {
  it('have the requested size, are reproducible, and end with a known line', () => {
    for (const make of [proseText, shortLines]) {
      const text = make(SIZE);
      expect(Buffer.byteLength(text)).to.be.within(SIZE, SIZE + 200);
      expect(make(SIZE) === text, 'the same').to.equal(true);
      expect(text.endsWith(LAST_LINE)).to.equal(true);
    }
  });

  it('contain lines, paragraphs and pages, and compress no better than English', () => {
    const text = proseText(SIZE);
    const lines = text.split(/[\n\f]/).filter((line) => line !== '');
    expect(text.length / lines.length).to.be.within(45, 60);
    expect(text).to.include('\n\n').and.to.include('\f');
    expect(deflateRawSync(text).length / text.length).to.be.above(0.3);
  });

  it('consist of one-letter lines if short lines are requested', () => {
    expect(
      shortLines(SIZE)
        .split('\n')
        .slice(0, -1)
        .every((line) => line.length === 1),
    ).to.equal(true);
  });
});
