import { expect } from 'chai';
import { pageScale } from '../src/page-scale.ts';

const codeOf = (width: number, height: number): unknown => {
  try {
    return pageScale(1, width, height, 100_000_000);
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

describe('pageScale', () => {
  it('is 300 dpi for a page of paper', () => {
    expect(pageScale(1, 612, 792, 100_000_000)).to.deep.equal({ width: 2550, height: 3300, dpi: 300 });
  });

  it('stays within 40 megapixels, the pixels allowed, and the longest side that engines take', () => {
    const huge = pageScale(1, 1e9, 1e9, 100_000_000);
    expect(huge.width * huge.height).to.be.within(39_900_000, 40_000_000);
    const small = pageScale(1, 612, 792, 10_000);
    expect(small.width * small.height).to.be.within(9500, 10_000);
    expect(pageScale(1, 14_400, 20, 100_000_000).width).to.be.at.most(32_767);
  });

  it('refuses pages without area or out of proportion', () => {
    for (const [width, height] of [[0, 792], [-1, 5], [Number.NaN, 5]] as const) expect(codeOf(width, height)).to.equal('DOCUMENT_DAMAGED');
    for (const [width, height] of [[1e30, 1], [Infinity, Infinity], [0.1, 0.1]] as const) expect(codeOf(width, height)).to.equal('PAGE_TOO_LARGE');
  });
});
