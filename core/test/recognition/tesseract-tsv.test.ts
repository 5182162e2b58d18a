import { expect } from 'chai';
import { pageTextOf, readTesseractTsv } from '@palimpsest/core';
import { array, assert, constantFrom, integer, property, record, string } from 'fast-check';

const HEADER = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext';

describe('readTesseractTsv', () => {
  it('numbers lines and blocks over the page and leaves out other rows', () => {
    const rows = [
      HEADER,
      '2\t1\t1\t0\t0\t0\t0\t0\t9\t9\t-1\t',
      '5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t95.5\tone',
      '5\t1\t1\t1\t1\t2\t50\t20\t30\t40\t80\ttwo',
      '5\t1\t1\t2\t1\t1\t10\t90\t30\t40\t0\t ',
      '5\t1\t1\t2\t2\t1\t10\t90\t30\t40\t0\tthree',
      '5\t1\t1\t2\t3\t1\t10\t95\t30\t40\t0\tlines',
      '5\t1\t3\t1\t1\t1\t10\t190\t30\t40\t101\tfour',
    ];
    expect(readTesseractTsv(`${rows.join('\n')}\n`)).to.deep.equal([
      { text: 'one', confidence: 0.955, bbox: [10, 20, 40, 60], line: 0, block: 0 },
      { text: 'two', confidence: 0.8, bbox: [50, 20, 80, 60], line: 0, block: 0 },
      { text: 'three', confidence: 0, bbox: [10, 90, 40, 130], line: 1, block: 0 },
      { text: 'lines', confidence: 0, bbox: [10, 95, 40, 135], line: 2, block: 0 },
      { text: 'four', confidence: 1, bbox: [10, 190, 40, 230], line: 3, block: 1 },
    ]);
  });

  it('returns no words for a page without words', () => {
    expect(readTesseractTsv(`${HEADER}\n1\t1\t0\t0\t0\t0\t0\t0\t800\t600\t-1\t\n`)).to.deep.equal([]);
  });

  it('keeps every word of any page, with its box', () => {
    const word = record({
      text: string({ unit: constantFrom('a', 'é', '字', '“', '.', '👍'), minLength: 1, maxLength: 9 }),
      confidence: integer({ min: 0, max: 100 }),
      left: integer({ min: 0, max: 30_000 }),
      width: integer({ min: 1, max: 2000 }),
    });
    const page = array(
      array(array(array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 3,
      }),
      { maxLength: 3 },
    );
    assert(
      property(page, (blocks) => {
        const row = (...columns: readonly (string | number)[]): string => `${columns.join('\t')}\n`;
        const tsv = blocks.flatMap((paragraphs, b) =>
          paragraphs.flatMap((lines, p) =>
            lines.flatMap((line, l) =>
              line.map(({ text, confidence, left, width }, w) =>
                row(5, 1, b + 1, p + 1, l + 1, w + 1, left, 7, width, 20, confidence.toFixed(6), text),
              ),
            ),
          ),
        );
        const words = readTesseractTsv(`${HEADER}\n${tsv.join('')}`);
        expect(words.map(({ text, confidence, bbox }) => ({ text, confidence, bbox }))).to.deep.equal(
          blocks.flat(3).map(({ text, confidence, left, width }) => ({
            text,
            confidence: confidence / 100,
            bbox: [left, 7, left + width, 27],
          })),
        );
        expect(words.at(-1)?.block ?? -1).to.equal(blocks.length - 1);
        expect(words.at(-1)?.line ?? -1).to.equal(blocks.flat(2).length - 1);
      }),
    );
  });

  it('returns valid words for output that is cut, mixed up or forged', () => {
    const column = constantFrom(
      '5',
      '1',
      '0',
      '-1',
      'x',
      '',
      ' ',
      '1e999',
      'NaN',
      '0x10',
      '9'.repeat(30),
      '95.5',
      'word',
      '__proto__',
    );
    const junk = array(
      array(column, { maxLength: 14 }).map((columns) => columns.join('\t')),
      { maxLength: 12 },
    ).map((rows) => rows.join('\n'));
    assert(
      property(junk, (tsv) => {
        for (const word of readTesseractTsv(tsv)) {
          expect(word.confidence).to.be.within(0, 1);
          expect(word.text.trim()).to.not.equal('');
          expect(word.bbox.every(Number.isFinite)).to.equal(true);
        }
      }),
    );
  });
});

describe('pageTextOf', () => {
  it('has the mean confidence of its words, and no text without words', () => {
    const word = { text: 'one', bbox: [0, 0, 9, 9], line: 0, block: 0 } as const;
    expect(
      pageTextOf('one one\n\n', [
        { ...word, confidence: 1 },
        { ...word, confidence: 0.5 },
      ]),
    ).to.deep.include({ text: 'one one', confidence: 0.75 });
    expect(pageTextOf(' \n\f', [])).to.deep.equal({ text: '', confidence: 0, words: [] });
  });
});
