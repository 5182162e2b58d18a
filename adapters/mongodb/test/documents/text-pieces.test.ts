import { expect } from 'chai';
import * as fc from 'fast-check';
import { cutText } from '../../src/documents/text-pieces.ts';

describe('cutText', () => {
  it('cuts any text into pieces that are within the length limit and join to the same text, and splits no character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '東', '𝔘'), maxLength: 30 });
    const property = fc.property(text, fc.integer({ min: 2, max: 8 }), (whole, length) => {
      const pieces = cutText(whole, length);
      expect(pieces.join('')).to.equal(whole);
      expect(pieces.every((piece) => piece.length <= length && piece.isWellFormed())).to.equal(true);
    });
    fc.assert(property);
  });

  it('returns one empty piece for an empty text', () => {
    expect(cutText('')).to.deep.equal(['']);
  });
});
