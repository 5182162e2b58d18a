import { buffer } from 'node:stream/consumers';
import type { ExportedLine } from '@palimpsest/core';
import { XlsxExporter } from '@palimpsest/exceljs';
import { expect } from 'chai';
import { unzipSync } from 'fflate';

const MAX_ROWS = 1_048_576; // of a sheet

function* numberedLines(count: number): Generator<ExportedLine> {
  for (let i = 1; i <= count; i++)
    yield { text: i % 1000 === 0 ? `line ${i}` : '', page: 1, startsPage: i === 1, startsParagraph: false };
}

describe('XlsxExporter with more lines than rows in a sheet', function () {
  this.timeout(300_000);

  it('fills a sheet up to the limit of Excel and continues in the next one', async () => {
    const count = MAX_ROWS + 500;
    const text = { heading: 'Title', lines: () => numberedLines(count) };
    const file = unzipSync(await buffer(new XlsxExporter().write(text)));
    const xmlOf = (name: string): string => new TextDecoder().decode(file[name]);
    const lastRows = ['sheet1', 'sheet2'].map((sheet) => {
      const end = xmlOf(`xl/worksheets/${sheet}.xml`).slice(-2000);
      return Number(/.*<row r="(\d+)"/s.exec(end)?.[1]);
    });
    // Two head rows on the first sheet, one on the second.
    expect(lastRows).to.deep.equal([MAX_ROWS, 500 + 2 + 1]);
    expect(xmlOf('xl/worksheets/sheet2.xml')).to.include(`>line ${count - (count % 1000)}</t>`);
  });
});
