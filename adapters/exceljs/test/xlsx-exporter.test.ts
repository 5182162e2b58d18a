import { buffer } from 'node:stream/consumers';
import { exportedText, type ExportedLine } from '@palimpsest/core';
import { XlsxExporter } from '@palimpsest/exceljs';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import { deepElements, elementsOf, parsedParts, textOf, type Element } from '../../../test/office/package-xml.ts';
import { readSheets, type ReadRow } from './read-xlsx.ts';

const partsOf = async (text: string, formatted: boolean): Promise<ReadonlyMap<string, Element>> =>
  parsedParts(await buffer(new XlsxExporter().write(exportedText('Title', text, formatted))));

const rowsOf = async (text: string, formatted: boolean): Promise<readonly ReadRow[]> =>
  [...readSheets(await partsOf(text, formatted)).values()].flat();

const part = (parts: ReadonlyMap<string, Element>, name: string): Element => {
  const found = parts.get(name);
  if (found === undefined) throw new TypeError(`There is no ${name}`);
  return found;
};

function* numberedLines(count: number): Generator<ExportedLine> {
  for (let i = 1; i <= count; i++)
    yield { text: i % 1000 === 0 ? `line ${i}` : '', page: 1, startsPage: i === 1, startsParagraph: false };
}

describe('XlsxExporter', function () {
  this.timeout(60_000);

  it('has a row for the title, one that names the columns, and one for each line with the number of its page', async () => {
    const rows = await rowsOf('one\ntwo\fthree\n\n=1', true);
    expect(rows.map((row) => row.map((cell) => cell?.value))).to.deep.equal([
      ['Title'],
      ['Page', 'Text'],
      [1, 'one'],
      [1, 'two'],
      [2, 'three'],
      [2],
      [2, '=1'],
    ]);
    expect(rows.map((row) => row[0]?.isBold)).to.deep.equal([true, true, false, false, false, false, false]);
  });

  it('has nothing but the lines of a text alone', async () => {
    const rows = await rowsOf('one\n\ntwo\fthree', false);
    expect(rows.map((row) => row.map((cell) => cell?.value))).to.deep.equal([['one'], [], ['two'], ['three']]);
    expect(rows.flat().some((cell) => cell?.isBold)).to.equal(false);
  });

  it('keeps the title and the names of the columns in sight', async () => {
    const panes = async (formatted: boolean) =>
      deepElements(part(await partsOf('text', formatted), 'xl/worksheets/sheet1.xml'), 'pane').map(({ attributes }) => [
        attributes['state'],
        attributes['ySplit'],
      ]);
    expect(await panes(true)).to.deep.equal([['frozen', '2']]);
    expect(await panes(false)).to.deep.equal([]);
  });

  it('goes on in the cells to the right where a line is too long for one', async () => {
    const long = `${'x'.repeat(32_766)}\u{1F600}${'y'.repeat(32_767 * 27)}`;
    const [alone, next] = await rowsOf(`${long}\nnext`, false);
    expect(alone?.map((cell) => String(cell?.value).length)).to.deep.equal([
      32_766,
      ...Array.from({ length: 27 }, () => 32_767),
      2,
    ]);
    expect(next?.map((cell) => cell?.value)).to.deep.equal(['next']);
    const exact = await rowsOf('x'.repeat(32_767), false);
    expect(exact.map((row) => row.length)).to.deep.equal([1]);
  });

  it('makes room for lines that are wrapped, as far as a row can be high', async () => {
    const lines = ['short', 'x'.repeat(90), 'x'.repeat(91), '日'.repeat(45), '日'.repeat(46), 'x'.repeat(100_000)];
    const rows = deepElements(part(await partsOf(lines.join('\n'), true), 'xl/worksheets/sheet1.xml'), 'row');
    expect(rows.map(({ attributes }) => attributes['ht'])).to.deep.equal([
      '24',
      undefined,
      undefined,
      undefined,
      '30',
      undefined,
      '30',
      '405',
    ]);
  });

  it('writes an underscore that would begin an escape as an escape, and no other', async () => {
    const cells = deepElements(
      part(await partsOf('_x0041_\n_x005f_x0041_\n_x_ _X0041_ _x004_ __x0041_', false), 'xl/worksheets/sheet1.xml'),
      't',
    );
    expect(cells.map(textOf)).to.deep.equal([
      '_x005F_x0041_',
      '_x005F_x005f_x005F_x0041_',
      '_x_ _X0041_ _x004_ __x005F_x0041_',
    ]);
  });

  for (const heading of ['Title', undefined]) {
    it(`goes on on further sheets where there are more lines than rows (${heading === undefined ? 'alone' : 'formatted'})`, async () => {
      const head = heading === undefined ? [0, 0, 0] : [2, 1, 1];
      const total = 2 * 1_048_576 + 1000;
      const file = unzipSync(await buffer(new XlsxExporter().write({ heading, lines: () => numberedLines(total) })));
      const xml = (name: string): string => new TextDecoder().decode(file[name]);
      expect([...xml('xl/workbook.xml').matchAll(/<sheet [^>]*name="([^"]*)"/g)].map(([, name]) => name)).to.deep.equal(
        ['Text', 'Text 2', 'Text 3'],
      );
      const lines: number[] = [];
      for (const [i, sheet] of ['sheet1', 'sheet2', 'sheet3'].entries()) {
        const text = xml(`xl/worksheets/${sheet}.xml`);
        const last = Number(/.*<row r="(\d+)"/s.exec(text.slice(-1000))?.[1]);
        expect(last).to.be.at.most(1_048_576);
        lines.push(last - (head[i] ?? 0));
        expect(text.includes('>Page</t>')).to.equal(heading !== undefined);
      }
      expect(lines.reduce((sum, count) => sum + count, 0)).to.equal(total);
      expect(xml('xl/worksheets/sheet3.xml')).to.include(`>line ${Math.floor(total / 1000) * 1000}</t>`);
    });
  }

  it('names the product in the properties, nobody and no machine, and the title only where it is a heading', async () => {
    const core = part(await partsOf('text', true), 'docProps/core.xml');
    const values = Object.fromEntries(elementsOf(core).map((element) => [element.name, textOf(element)]));
    expect(Object.keys(values).sort()).to.deep.equal([
      'cp:lastModifiedBy',
      'dc:creator',
      'dc:title',
      'dcterms:created',
      'dcterms:modified',
    ]);
    expect(values).to.include({ 'dc:title': 'Title', 'dc:creator': 'Palimpsest', 'cp:lastModifiedBy': 'Palimpsest' });
    expect(textOf(part(await partsOf('text', false), 'docProps/core.xml'))).to.not.include('Title');
    expect(
      deepElements(part(await partsOf('text', true), 'docProps/app.xml'), 'Company')
        .map(textOf)
        .join(''),
    ).to.equal('');
  });
});
