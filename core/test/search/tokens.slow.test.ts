import { searchTokens } from '@palimpsest/core';
import { expect } from 'chai';

describe('searchTokens', () => {
  it('does not depend on normalization or case, for every Unicode character', () => {
    const wrong: string[] = [];
    for (let codePoint = 0; codePoint < 0x11_0000; codePoint++) {
      const character = String.fromCodePoint(codePoint);
      const tokens = searchTokens(character).join(' ');
      const variants = [character.normalize('NFC'), character.normalize('NFD'), tokens];
      // The iota below a Greek vowel is a mark that becomes a letter in upper case.
      if (!character.normalize('NFD').includes('\u0345'))
        variants.push(character.toLowerCase(), character.toUpperCase());
      if (variants.some((variant) => searchTokens(variant).join(' ') !== tokens)) wrong.push(codePoint.toString(16));
    }
    expect(wrong).to.deep.equal([]);
  });

  it('takes linear time for any text', () => {
    // A quadratic step would take minutes here.
    for (const part of ['a', 'ü', '\u0301\u0316', 'क\u093c\u094d', '\u11a8', '\u00ad', ' ', '\ud800', 'ﷺ', '東']) {
      searchTokens(part.repeat(1_000_000 / part.length));
    }
  }).timeout(120_000);
});
