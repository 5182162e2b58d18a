import type { ReadExport, ReadLine } from '@palimpsest/contract-tests';
import {
  activeContent,
  deepElements,
  elementsOf,
  parsedParts,
  partNamed,
  textOf,
  type Element,
} from '../../../test/office/package-xml.ts';

const ACTIVE_ELEMENTS = [
  'f',
  'hyperlink',
  'hyperlinks',
  'definedName',
  'dataConsolidate',
  'oleObject',
  'externalReference',
  'connection',
  'dde',
];
const MAX_CELL_LENGTH = 32_767;
const MAX_ROWS = 1_048_576;

/** A cell as Excel shows it, with unescaped text (ECMA-376 part 1, 22.9.2.19). */
export interface ReadCell {
  readonly value: string | number;
  readonly numberFormat: number;
  readonly isBold: boolean;
}

/** A row of a sheet; cells by column from 0. Rows that the file omits are empty. */
export type ReadRow = readonly (ReadCell | undefined)[];

const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const columnOf = (address: string): number =>
  [...address.replace(/\d+$/, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

const stringOf = (cell: Element): string => {
  const [text] = deepElements(cell, 't');
  if (text === undefined || deepElements(cell, 't').length > 1)
    throw new TypeError('A string cell without exactly one part');
  const raw = textOf(text);
  const string = unescaped(text.attributes['xml:space'] === 'preserve' ? raw : raw.trim());
  if (string.length > MAX_CELL_LENGTH || !string.isWellFormed())
    throw new TypeError('A string that is too long or malformed for a cell');
  return string;
};

const sheetRows = (
  sheet: Element,
  styles: readonly Pick<ReadCell, 'numberFormat' | 'isBold'>[],
): readonly ReadRow[] => {
  const rows: ReadRow[] = [];
  for (const row of deepElements(sheet, 'row')) {
    const number = Number(row.attributes['r']);
    if (number <= rows.length || number > MAX_ROWS) throw new TypeError(`Row ${number} follows row ${rows.length}`);
    while (rows.length < number - 1) rows.push([]);
    const cells: (ReadCell | undefined)[] = [];
    for (const cell of elementsOf(row, 'c')) {
      const address = cell.attributes['r'] ?? '';
      const column = columnOf(address);
      if (!address.endsWith(String(number)) || column < cells.length)
        throw new TypeError(`The cell ${address} is out of order in row ${number}`);
      const style = styles[Number(cell.attributes['s'] ?? 0)];
      if (style === undefined) throw new TypeError('A cell with an undefined style');
      const value = cell.attributes['t'] === 'inlineStr' ? stringOf(cell) : Number(textOf(cell));
      cells[column] = { ...style, value };
    }
    rows.push(cells);
  }
  return rows;
};

/** The sheets of a workbook by name, in order. */
export const readSheets = (parts: ReadonlyMap<string, Element>): ReadonlyMap<string, readonly ReadRow[]> => {
  const part = (name: string): Element => partNamed(parts, name);
  const styleSheet = part('xl/styles.xml');
  const fonts = deepElements(styleSheet, 'fonts').flatMap((each) => elementsOf(each, 'font'));
  const styles = deepElements(styleSheet, 'cellXfs').flatMap((each) =>
    elementsOf(each, 'xf').map(({ attributes }) => ({
      numberFormat: Number(attributes['numFmtId']),
      isBold:
        fonts[Number(attributes['fontId'])]?.children.some(
          (child) => typeof child !== 'string' && child.name === 'b',
        ) ?? false,
    })),
  );
  const targets = new Map(
    deepElements(part('xl/_rels/workbook.xml.rels'), 'Relationship').map(({ attributes }) => [
      attributes['Id'],
      attributes['Target'],
    ]),
  );
  return new Map(
    deepElements(part('xl/workbook.xml'), 'sheet').map(({ attributes }) => [
      attributes['name'] ?? '',
      sheetRows(part(`xl/${targets.get(attributes['r:id'] ?? '')}`), styles),
    ]),
  );
};

const TEXT_FORMAT = 49; // '@'

const joinedCells = (row: ReadRow, from: number): string => {
  const cells = row.slice(from);
  for (const cell of cells) {
    if (typeof cell?.value !== 'string') throw new TypeError(`A cell with ${cell?.value} instead of a text`);
    if (cell.numberFormat !== TEXT_FORMAT)
      throw new TypeError('A cell without the text format, which Excel would convert when a user edits it');
  }
  return cells.map((cell) => cell?.value).join('');
};

/**
 * Reads a file of `XlsxExporter` as Excel does. Throws for a part that is not well-formed and for unexpected content.
 */
export const readXlsx = (file: Uint8Array): ReadExport => {
  const parts = parsedParts(file);
  const sheets = [...readSheets(parts).values()];
  const first = sheets[0]?.[0]?.[0];
  const isHeading = first?.isBold === true;
  const heading = isHeading && typeof first.value === 'string' ? first.value : undefined;
  const lines: ReadLine[] = [];
  for (const [i, rows] of sheets.entries()) {
    const head = isHeading ? rows.slice(0, i === 0 ? 2 : 1) : [];
    if (
      isHeading &&
      head
        .at(-1)
        ?.map((cell) => cell?.value)
        .join() !== 'Page,Text'
    )
      throw new TypeError('The columns are not named');
    for (const row of rows.slice(head.length)) {
      if (!isHeading) lines.push({ text: joinedCells(row, 0) });
      else lines.push({ text: joinedCells(row, 1), page: Number(row[0]?.value) });
    }
  }
  return { heading, lines, entries: [...parts.keys()], active: activeContent(parts, ACTIVE_ELEMENTS) };
};
