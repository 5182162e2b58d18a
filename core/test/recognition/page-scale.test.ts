import { expect } from 'chai';
import { isAppError, pageScale } from '@palimpsest/core';
import { assert, double, property } from 'fast-check';

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

  it('stays within 40 megapixels, `maxPixels`, and the longest side of engines', () => {
    const huge = pageScale(1, 1e9, 1e9, 100_000_000);
    expect(huge.width * huge.height).to.be.within(39_900_000, 40_000_000);
    const small = pageScale(1, 612, 792, 10_000);
    expect(small.width * small.height).to.be.within(9500, 10_000);
    expect(pageScale(1, 14_400, 20, 100_000_000).width).to.be.at.most(32_767);
  });

  it('refuses pages without area or with extreme proportions', () => {
    for (const [width, height] of [
      [0, 792],
      [-1, 5],
      [Number.NaN, 5],
    ] as const)
      expect(codeOf(width, height)).to.equal('DOCUMENT_DAMAGED');
    for (const [width, height] of [
      [1e30, 1],
      [Infinity, Infinity],
      [0.1, 0.1],
    ] as const)
      expect(codeOf(width, height)).to.equal('PAGE_TOO_LARGE');
  });

  it('returns the same pixels for a size in single precision, double precision and six digits', () => {
    expect(pageScale(1, 594.96, 842.04, 100_000_000)).to.include({ width: 2479, height: 3508 });
    // The sizes of standard paper and of scanned pages have at most two decimal places.
    const hundredths = double({ min: 0.1, max: 9999, noNaN: true }).map((points) => Number(points.toFixed(2)));
    assert(
      property(hundredths, hundredths, (width, height) => {
        const sizes = [(value: number) => value, Math.fround, (value: number) => Number(value.toPrecision(6))].map(
          (round) => {
            try {
              return pageScale(1, round(width), round(height), 30_000_000);
            } catch (error) {
              return isAppError(error) ? error.code : error;
            }
          },
        );
        for (const size of sizes) expect(size).to.deep.equal(sizes[0]);
      }),
    );
  });

  it('never returns more pixels than allowed', () => {
    const side = double({ min: 0.5, max: 1e9, noNaN: true });
    assert(
      property(side, side, double({ min: 100, max: 5e7, noNaN: true }).map(Math.floor), (width, height, maxPixels) => {
        try {
          const size = pageScale(1, width, height, maxPixels);
          expect(size.width * size.height).to.be.at.most(maxPixels);
          expect(size.dpi).to.be.within(0, 300);
        } catch (error) {
          expect(error).to.have.property('code', 'PAGE_TOO_LARGE');
        }
      }),
    );
  });
});
