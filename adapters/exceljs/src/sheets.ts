import type { ExportedLine, ExportedText } from '@palimpsest/core';
import { numberCell, textCells } from './cells.ts';
import { rowHeight } from './row-height.ts';
import type { Sheet, SheetLayout, StreamedWorkbook } from './streamed-workbook.ts';

const MAX_ROWS = 1_048_576; // of a sheet (Microsoft: "Excel specifications and limits")
const PIECE_LENGTH = 64 * 1024;
const TEXT_WIDTH = 100; // digits
const FILLED = 0.9; // as lines break between words
const A4 = 9; // ECMA-376 part 1, 18.3.1.63

// The text format, which keeps what is typed over a cell a text as well.
const TEXT = { numFmt: '@' };
const TOP = { vertical: 'top' } as const;
const bold = (size: number) => ({ name: 'Calibri', family: 2, size, bold: true });
const looks = {
  heading: { ...TEXT, font: bold(16) },
  header: { ...TEXT, font: bold(11) },
  page: { alignment: { ...TOP, horizontal: 'left' } as const },
  line: { ...TEXT, alignment: { ...TOP, wrapText: true } },
  plain: TEXT,
};

interface HeadRow {
  readonly cells: Iterable<string>;
  readonly height?: number; // in points
}

/** What stands in the rows of a text. */
interface Rows {
  readonly layout: Omit<SheetLayout, 'frozenRows'>;
  readonly head: (sheet: number) => readonly HeadRow[]; // before the lines
  readonly height: (line: ExportedLine) => number | undefined; // in points, where it is not that of one line
  readonly cells: (line: ExportedLine, row: number) => Iterable<string>;
}

const plainRows = (book: StreamedWorkbook): Rows => {
  const style = book.styleNumber(looks.plain);
  return {
    layout: { columns: [{ style: looks.plain }], printed: {} },
    head: () => [],
    height: () => undefined,
    cells: ({ text }, row) => textCells(1, row, text, style),
  };
};

const formattedRows = (book: StreamedWorkbook, heading: string): Rows => {
  const [page, line, header, title] = [
    book.styleNumber(looks.page),
    book.styleNumber(looks.line),
    book.styleNumber(looks.header),
    book.styleNumber(looks.heading),
  ];
  const headerRow = (row: number): HeadRow => ({
    cells: [...textCells(1, row, 'Page', header), ...textCells(2, row, 'Text', header)],
  });
  return {
    layout: {
      columns: [
        { width: 8, style: looks.page },
        { width: TEXT_WIDTH, style: looks.line },
      ],
      printed: { paperSize: A4, fitToWidth: 1, fitToHeight: 0 }, // as many pages as it takes, all of them wide enough
    },
    head: (sheet) =>
      sheet === 1 ? [{ cells: textCells(1, 1, heading, title), height: 24 }, headerRow(2)] : [headerRow(1)],
    height: ({ text }) => rowHeight(text, TEXT_WIDTH * FILLED),
    *cells({ text, page: number }, row) {
      yield numberCell(1, row, number, page);
      yield* textCells(2, row, text, line);
    },
  };
};

function* rowXml(row: number, cells: Iterable<string>, height?: number): Generator<string> {
  yield height === undefined ? `<row r="${row}">` : `<row r="${row}" ht="${height}">`;
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
    const sheet = book.addSheet(sheets === 1 ? 'Text' : `Text ${sheets}`, { ...rows.layout, frozenRows: head.length });
    return { sheet, head: head.map(({ cells, height }, i) => [...rowXml(i + 1, cells, height)].join('')) };
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
    for (const part of rowXml(row, rows.cells(line, row), rows.height(line))) {
      pending += part;
      if (pending.length < PIECE_LENGTH) continue;
      await sheet.write(pending);
      pending = '';
    }
  }
  await sheet.write(pending);
  sheet.end();
};
