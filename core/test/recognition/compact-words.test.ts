import { compactWords, wordsFromCompact, type Word } from '@palimpsest/core';
import { expect } from 'chai';

describe('compactWords', () => {
  const words: readonly Word[] = [
    { text: 'Größe "5"\u0000\ud800', confidence: 96.5, bbox: [1, 2, 30, 40], line: 3, block: 4 },
    { text: '', confidence: 0, bbox: [0, 0, 0, 0], line: 0, block: 0 },
  ];

  it('returns the same words after parsing', () => {
    expect(wordsFromCompact(compactWords(words))).to.deep.equal(words);
    expect(wordsFromCompact(compactWords([]))).to.deep.equal([]);
  });

  it('parses the form that every version writes', () => {
    expect(compactWords(words.slice(1))).to.equal('[["",0,0,0,0,0,0,0]]');
    expect(wordsFromCompact('[["a",96.5,1,2,30,40,3,4]]')).to.deep.equal([
      { text: 'a', confidence: 96.5, bbox: [1, 2, 30, 40], line: 3, block: 4 },
    ]);
  });
});
