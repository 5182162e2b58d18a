import { formatInstant, plusMs, toEpochMs, utf8Length } from '@palimpsest/core';
import { expect } from 'chai';
import * as fc from 'fast-check';

describe('an instant', () => {
  const cases: readonly (readonly [instant: number, text: string])[] = [
    [0, '1970-01-01T00:00:00.000000+00:00'],
    [1, '1970-01-01T00:00:00.000001+00:00'],
    [999, '1970-01-01T00:00:00.000999+00:00'],
    [1_795_253_412_345_678, '2026-11-21T09:30:12.345678+00:00'],
    [1_795_253_412_000_000, '2026-11-21T09:30:12.000000+00:00'],
    [1_795_253_412_345_000, '2026-11-21T09:30:12.345000+00:00'],
    [-1, '1969-12-31T23:59:59.999999+00:00'],
    [-1000, '1969-12-31T23:59:59.999000+00:00'],
    [-1001, '1969-12-31T23:59:59.998999+00:00'],
    [951_782_400_000_000, '2000-02-29T00:00:00.000000+00:00'],
  ];
  for (const [instant, text] of cases) {
    it(`${instant} is written as ${text}`, () => {
      expect(formatInstant(instant)).to.equal(text);
    });
  }

  it('is written with six digits and an offset, and sorts in order', () => {
    const anyInstant = fc.integer({ min: -1e15, max: 8e15 });
    fc.assert(
      fc.property(anyInstant, anyInstant, (one, two) => {
        expect(formatInstant(one)).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
        expect(formatInstant(one) < formatInstant(two)).to.equal(one < two);
      }),
    );
  });

  it('is moved by milliseconds and rounded to whole microseconds', () => {
    expect([plusMs(5, 1), plusMs(5, -1), plusMs(0, 0.001), plusMs(0, 0.1 + 0.2), plusMs(0, 1 / 3)]).to.deep.equal([
      1005, -995, 1, 300, 333,
    ]);
  });

  it('is rounded down to milliseconds', () => {
    expect([0, 999, 1000, -1, -1000, -1001].map(toEpochMs)).to.deep.equal([0, 0, 1, -1, -1, -2]);
  });
});

describe('utf8Length', () => {
  it("equals the length of an encoder's output, also with lone surrogates", () => {
    const units = fc.array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })), {
      maxLength: 50,
    });
    fc.assert(
      fc.property(units, (codes) => {
        const text = String.fromCharCode(...codes);
        expect(utf8Length(text)).to.equal(Buffer.byteLength(text, 'utf8'));
      }),
      { numRuns: 5000 },
    );
  });
});
