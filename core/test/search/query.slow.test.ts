import { parseSearchQuery } from '@palimpsest/core';

describe('parseSearchQuery', () => {
  it('parses 500,000 characters of any kind in linear time', () => {
    // A quadratic step would take minutes here.
    for (const part of ['"', '-', '*', '-"', '"a', 'a b ', '- ', '(a+)+$', '.*', '\u0301', '＂-', ' '])
      parseSearchQuery(part.repeat(500_000 / part.length));
  }).timeout(120_000);
});
