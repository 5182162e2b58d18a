import { buffer } from 'node:stream/consumers';
import { exportedText } from '@palimpsest/core';
import { XlsxExporter } from '@palimpsest/exceljs';
import { writePackage } from '@palimpsest/office-package';
import { expect } from 'chai';
import {
  deepElements,
  elementsOf,
  parsedParts,
  partNamed,
  textOf,
  type Element,
} from '../../../test/office/package-xml.ts';
import { workbookParts } from '../src/workbook-parts.ts';
import { readSheets, type ReadRow } from './read-xlsx.ts';

const partsOf = async (text: string, formatted: boolean): Promise<ReadonlyMap<string, Element>> =>
  parsedParts(await buffer(new XlsxExporter().write(exportedText('Title', text, formatted))));

const rowsOf = async (text: string, formatted: boolean): Promise<readonly ReadRow[]> =>
  [...readSheets(await partsOf(text, formatted)).values()].flat();

describe('XlsxExporter', () => {
  it('writes the title, the column names, and each line of a formatted text with its page number', async () => {
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

  it('writes only the lines of an unformatted text', async () => {
    const rows = await rowsOf('one\n\ntwo\fthree', false);
    expect(rows.map((row) => row.map((cell) => cell?.value))).to.deep.equal([['one'], [], ['two'], ['three']]);
    expect(rows.flat().some((cell) => cell?.isBold)).to.equal(false);
  });

  it('freezes the rows with the title and the column names', async () => {
    const panes = async (formatted: boolean) =>
      deepElements(partNamed(await partsOf('text', formatted), 'xl/worksheets/sheet1.xml'), 'pane').map(
        ({ attributes }) => [attributes['state'], attributes['ySplit']],
      );
    expect(await panes(true)).to.deep.equal([['frozen', '2']]);
    expect(await panes(false)).to.deep.equal([]);
  });

  it('continues a line that is too long for a cell in the cells to the right', async () => {
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

  it('makes rows with wrapped lines higher, up to the limit of Excel', async () => {
    const lines = ['short', 'x'.repeat(90), 'x'.repeat(91), '日'.repeat(45), '日'.repeat(46), 'x'.repeat(100_000)];
    const rows = deepElements(partNamed(await partsOf(lines.join('\n'), true), 'xl/worksheets/sheet1.xml'), 'row');
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

  it('escapes an underscore only if it would start an escape sequence', async () => {
    const cells = deepElements(
      partNamed(
        await partsOf('_x0041_\n_x005f_x0041_\n_x_ _X0041_ _x004_ __x0041_', false),
        'xl/worksheets/sheet1.xml',
      ),
      't',
    );
    expect(cells.map(textOf)).to.deep.equal([
      '_x005F_x0041_',
      '_x005F_x005f_x005F_x0041_',
      '_x_ _X0041_ _x004_ __x005F_x0041_',
    ]);
  });

  for (const [heading, rowsPerSheet] of [
    ['Title', [10, 10, 8]],
    [undefined, [10, 10, 4]],
  ] as const) {
    it(`continues in further sheets when a sheet is full: ${heading === undefined ? 'plain' : 'formatted'} text`, async () => {
      const lines = Array.from({ length: 24 }, (_, i) => `line ${i + 1}`);
      const text = exportedText(heading ?? '', lines.join('\n'), heading !== undefined);
      const sheets = readSheets(parsedParts(await buffer(writePackage(workbookParts(text, 10)))));
      expect([...sheets.keys()]).to.deep.equal(['Text', 'Text 2', 'Text 3']);
      const rows = [...sheets.values()];
      expect(rows.map(({ length }) => length)).to.deep.equal(rowsPerSheet);
      const texts = rows.flat().map((row) => String(row.at(-1)?.value));
      expect(texts.filter((value) => value.startsWith('line '))).to.deep.equal(lines);
      expect(texts.filter((value) => value === 'Text')).to.have.length(heading === undefined ? 0 : 3);
    });
  }

  it('makes no empty sheet after a sheet that is exactly full', async () => {
    const text = exportedText('', 'a\nb\nc', false);
    const sheets = readSheets(parsedParts(await buffer(writePackage(workbookParts(text, 3)))));
    expect([...sheets.keys()]).to.deep.equal(['Text']);
  });

  it('writes only the product name into the properties, and the title only for a formatted text', async () => {
    const core = partNamed(await partsOf('text', true), 'docProps/core.xml');
    const filled = elementsOf(core).filter((element) => textOf(element) !== '');
    const values = Object.fromEntries(filled.map((element) => [element.name, textOf(element)]));
    expect(Object.keys(values).sort()).to.deep.equal([
      'cp:lastModifiedBy',
      'dc:creator',
      'dc:title',
      'dcterms:created',
      'dcterms:modified',
    ]);
    expect(values).to.include({ 'dc:title': 'Title', 'dc:creator': 'Palimpsest', 'cp:lastModifiedBy': 'Palimpsest' });
    expect(textOf(partNamed(await partsOf('text', false), 'docProps/core.xml'))).to.not.include('Title');
    expect(
      deepElements(partNamed(await partsOf('text', true), 'docProps/app.xml'), 'Company')
        .map(textOf)
        .join(''),
    ).to.equal('');
  });
});
