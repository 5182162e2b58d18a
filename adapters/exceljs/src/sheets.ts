import type { ExportedLine, ExportedText } from '@palimpsest/core';
import { numberCell, textCells } from './cells.ts';
import type { Sheet, SheetLayout, StreamedWorkbook } from './streamed-workbook.ts';

const MAX_ROWS = 1_048_576; // of a sheet (Microsoft: "Excel specifications and limits")
const PIECE_LENGTH = 64 * 1024;

// The text format, which keeps what is typed over a cell a text as well.
const TEXT = { numFmt: '@' };
const TOP = { vertical: 'top' } as const;
const bold = (size: number) => ({ name: 'Calibri', family: 2, size, bold: true });
const looks = {
  heading: { ...TEXT, font: bold(16) },
  header: { ...TEXT, font: bold(11) },
  page: { alignment: TOP },
  line: { ...TEXT, alignment: { ...TOP, wrapText: true } },
  plain: TEXT,
};

/** What stands in the rows of a text. */
interface Rows {
  readonly columns: SheetLayout['columns'];
  readonly head: (sheet: number) => readonly string[]; // the cells of each row before the lines
  readonly cells: (line: ExportedLine, row: number) => Iterable<string>;
}

const plainRows = (book: StreamedWorkbook): Rows => {
  const style = book.styleNumber(looks.plain);
  return {
    columns: [{ style: looks.plain }],
    head: () => [],
    cells: ({ text }, row) => textCells(1, row, text, style),
  };
};

const formattedRows = (book: StreamedWorkbook, heading: string): Rows => {
  const [page, line, header, title] = [book.styleNumber(looks.page), book.styleNumber(looks.line), book.styleNumber(looks.header), book.styleNumber(looks.heading)];
  const headerRow = (row: number): string => [...textCells(1, row, 'Page', header), ...textCells(2, row, 'Text', header)].join('');
  return {
    columns: [
      { width: 8, style: looks.page },
      { width: 100, style: looks.line },
    ],
    head: (sheet) => (sheet === 1 ? [[...textCells(1, 1, heading, title)].join(''), headerRow(2)] : [headerRow(1)]),
    *cells({ text, page: number }, row) {
      yield numberCell(1, row, number, page);
      yield* textCells(2, row, text, line);
    },
  };
};

function* rowXml(row: number, cells: Iterable<string>): Generator<string> {
  yield `<row r="${row}">`;
  yield* cells;
  yield '</row>';
}

/** Writes all lines of `text` into as many sheets of `book` as they need, one at least. */
export const writeSheets = async (book: StreamedWorkbook, text: ExportedText): Promise<void> => {
  const rows = text.heading === undefined ? plainRows(book) : formattedRows(book, text.heading);
  let sheets = 0;
  const begin = (): { readonly sheet: Sheet; readonly head: readonly string[] } => {
    sheets++;
    const head = rows.head(sheets);
    const sheet = book.addSheet(sheets === 1 ? 'Text' : `Text ${sheets}`, { columns: rows.columns, frozenRows: head.length });
    return { sheet, head: head.map((cells, i) => [...rowXml(i + 1, [cells])].join('')) };
  };
  let { sheet, head } = begin();
  let [row, pending] = [head.length, head.join('')];
  for (const line of text.lines()) {
    if (row === MAX_ROWS) {
      await sheet.write(pending);
      sheet.end();
      ({ sheet, head } = begin());
      [row, pending] = [head.length, head.join('')];
    }
    row++;
    for (const part of rowXml(row, rows.cells(line, row))) {
      pending += part;
      if (pending.length < PIECE_LENGTH) continue;
      await sheet.write(pending);
      pending = '';
    }
  }
  await sheet.write(pending);
  sheet.end();
};
