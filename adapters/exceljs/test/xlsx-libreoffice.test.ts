import { buffer } from 'node:stream/consumers';
import { strangeExportLines, structuredTexts } from '@palimpsest/contract-tests/internal';
import { exportedText } from '@palimpsest/core';
import { XlsxExporter } from '@palimpsest/exceljs';
import { expect } from 'chai';
import { convertedByLibreOffice, withoutLibreOffice } from '../../../test/office/libreoffice.ts';

// CSV of the first sheet in UTF-8: comma-separated, texts in quotes, unformatted numbers.
const CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false,false,false,0';

const written = (text: string, formatted: boolean): Promise<Buffer> =>
  buffer(new XlsxExporter().write(exportedText('The <title>', text, formatted)));

/** The rows of a file of comma-separated values. A field in quotes is a text. */
const csvRows = (csv: string): readonly (readonly (string | number)[])[] => {
  const rows: (string | number)[][] = [[]];
  for (const [, text, plain = '', end] of csv
    .replace(/^\uFEFF(?=")/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n|$)/g)) {
    rows.at(-1)?.push(text === undefined ? (plain === '' ? '' : Number(plain)) : text.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
  }
  return rows;
};

const withoutEmptyEnd = (lines: readonly string[]): readonly string[] =>
  lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
const linesOf = (text: string): readonly string[] =>
  withoutEmptyEnd([...exportedText('', text, false).lines()].map((line) => line.text));

const texts = [
  strangeExportLines.join('\n'),
  strangeExportLines.join('\f'),
  ...structuredTexts,
  `${'\u{1F600}x'.repeat(30_000)} end`,
];

describe('an Excel file in LibreOffice', function () {
  this.timeout(240_000);
  const reason = withoutLibreOffice();
  if (reason !== undefined) {
    it.skip(`is skipped: ${reason}`);
    return;
  }

  it('contains the lines of an unformatted text in text cells', async () => {
    const saved = await convertedByLibreOffice(
      await Promise.all(texts.map((text) => written(text, false))),
      'xlsx',
      CSV,
    );
    for (const [i, text] of texts.entries()) {
      const rows = csvRows(saved[i] ?? '');
      expect(rows.flat().filter((cell) => typeof cell !== 'string')).to.deep.equal([]);
      expect(withoutEmptyEnd(rows.map((row) => row.join('')))).to.deep.equal(linesOf(text));
    }
  });

  it('contains the title, the page numbers as numbers and the lines as texts for a formatted text', async () => {
    const saved = await convertedByLibreOffice(
      await Promise.all(texts.map((text) => written(text, true))),
      'xlsx',
      CSV,
    );
    for (const [i, text] of texts.entries()) {
      const [title, header, ...rows] = csvRows((saved[i] ?? '').replace(/\n$/, ''));
      expect(title?.[0]).to.equal('The <title>');
      expect(header?.slice(0, 2)).to.deep.equal(['Page', 'Text']);
      const lines = [...exportedText('', text, true).lines()];
      expect(rows.map(([page, ...cells]) => [page, cells.join('')])).to.deep.equal(
        lines.map((line) => [line.page, line.text]),
      );
    }
  });
});
