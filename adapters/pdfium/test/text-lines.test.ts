import { expect } from 'chai';
import type { BoundingBox } from '@palimpsest/core';
import { assembleText } from '../src/text-lines.ts';
import type { PlacedCharacter } from '../src/text-lines.ts';

/** Characters of 10 x 20 pixels in a row that starts at (x, y). */
const run = (text: string, x: number, y: number): PlacedCharacter[] =>
  [...text].map((character, i) => ({
    text: character,
    box: /\s/.test(character) ? undefined : ([x + i * 10, y, x + i * 10 + 10, y + 20] satisfies BoundingBox),
  }));

const lineEnd: PlacedCharacter[] = ['\r', '\n'].map((text) => ({ text, box: undefined }));

describe('assembleText', () => {
  it('separates words, lines and paragraphs', () => {
    const { text, words } = assembleText([
      ...run('two words', 0, 0),
      ...lineEnd,
      ...run('next', 0, 26),
      ...lineEnd,
      ...run('far', 0, 90),
    ]);
    expect(text).to.equal('two words\nnext\n\nfar');
    expect(words.map(({ line, block }) => [line, block])).to.deep.equal([
      [0, 0],
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
    expect(words[1]?.bbox).to.deep.equal([40, 0, 90, 20]);
  });

  it('starts a new block at the top of the next column', () => {
    expect(assembleText([...run('left', 0, 500), ...lineEnd, ...run('right', 300, 0)]).text).to.equal('left\n\nright');
  });

  it('joins the pieces of a line around a raised character', () => {
    const pieces = [...run('Gal*', 0, 4), ...lineEnd, ...run(', next', 42, 8)];
    expect(assembleText(pieces).text).to.equal('Gal* , next');
  });

  it('keeps two distant cells of a table row on separate lines', () => {
    expect(assembleText([...run('cell', 0, 0), ...lineEnd, ...run('other', 300, 0)]).text).to.equal('cell\nother');
  });

  it('omits characters outside the page', () => {
    const outside = [...'ghost'].map((text) => ({ text, box: undefined }));
    expect(assembleText([...outside, ...lineEnd, ...run('seen', 0, 0)]).text).to.equal('seen');
  });

  it('returns an empty text for no characters', () => {
    expect(assembleText([])).to.deep.equal({ text: '', words: [] });
  });
});
