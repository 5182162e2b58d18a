import { pdfBoxOf, pdfTurnOf, visiblePdfBox } from '@palimpsest/core';
import { expect } from 'chai';

describe('pdfBoxOf', () => {
  it('accepts any two opposite corners', () => {
    expect(pdfBoxOf([10, 20, 110, 220])).to.deep.equal([10, 20, 110, 220]);
    expect(pdfBoxOf([110, 220, 10, 20])).to.deep.equal([10, 20, 110, 220]);
  });

  it('returns undefined for a box without area, with a missing coordinate or with one that is not a number', () => {
    for (const numbers of [[], [0, 0, 10], [5, 0, 5, 10], [0, 7, 10, 7], [0, 0, Number.NaN, 10]])
      expect(pdfBoxOf(numbers)).to.equal(undefined);
  });
});

describe('visiblePdfBox', () => {
  it('is the part of the crop box that lies within the media box', () => {
    expect(visiblePdfBox([0, 0, 100, 200], [10, -50, 500, 150])).to.deep.equal([10, 0, 100, 150]);
  });

  it('is the media box of a page without a crop box, and a Letter page without both', () => {
    expect(visiblePdfBox([5, 5, 100, 200])).to.deep.equal([5, 5, 100, 200]);
    expect(visiblePdfBox()).to.deep.equal([0, 0, 612, 792]);
  });

  it('has no area if the boxes do not overlap', () => {
    const [left, bottom, right, top] = visiblePdfBox([0, 0, 100, 100], [200, 200, 300, 300]);
    expect((right - left) * (top - bottom)).to.equal(0);
  });
});

describe('pdfTurnOf', () => {
  for (const [degrees, turn] of [
    [0, 0],
    [90, 90],
    [450, 90],
    [-90, 270],
    [720, 0],
    [45, 0],
    [100, 90],
  ] as const) {
    it(`maps ${degrees} degrees to a turn by ${turn}`, () => expect(pdfTurnOf(degrees)).to.equal(turn));
  }
});
