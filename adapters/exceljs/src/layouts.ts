import type { ExportedLine } from '@palimpsest/core';
import { numberCell, textCells } from './cells.ts';
import { rowHeight } from './row-height.ts';
import type { WorkbookDesign } from './workbook-frame.ts';

const TEXT_WIDTH = 100; // digits
const FILLED_SHARE = 0.9; // of the width of a line, because lines break between words
const A4 = 9; // ECMA-376 part 1, 18.3.1.63
const TITLE_HEIGHT = 24; // points

// With this format, Excel also keeps a value as text that a user types into the cell.
const TEXT = { numFmt: '@' };
const TOP = { vertical: 'top' } as const;
const PAGE_COLUMN = { alignment: { ...TOP, horizontal: 'left' } as const };
const TEXT_COLUMN = { ...TEXT, alignment: { ...TOP, wrapText: true } };
const bold = (size: number) => ({ ...TEXT, font: { name: 'Calibri', family: 2, size, bold: true } });

/** A row with the XML of its cells. A row without `heightPt` is one line high. */
export interface Row {
  readonly cells: readonly string[];
  readonly heightPt?: number | undefined;
}

/** Makes the rows of a text. `styles` are the style numbers for the `cellStyles` of the design. */
export interface Layout {
  readonly design: WorkbookDesign;
  readonly headRows: (sheet: number, styles: readonly number[]) => readonly Row[];
  readonly lineRow: (line: ExportedLine, row: number, styles: readonly number[]) => Row;
}

/** One column with the lines. */
export const plainLayout: Layout = {
  design: {
    title: undefined,
    columns: [{ style: TEXT }],
    frozenRows: () => 0,
    pageSetup: {},
    cellStyles: [TEXT],
  },
  headRows: () => [],
  lineRow: ({ text }, row, [style = 0]) => ({ cells: textCells(1, row, text, style) }),
};

/** The title, the column names, and the lines with their page numbers. */
export const formattedLayout = (title: string): Layout => ({
  design: {
    title,
    columns: [
      { width: 8, style: PAGE_COLUMN },
      { width: TEXT_WIDTH, style: TEXT_COLUMN },
    ],
    frozenRows: (sheet) => (sheet === 1 ? 2 : 1),
    pageSetup: { paperSize: A4, fitToWidth: 1, fitToHeight: 0 }, // all columns on one page, any number of pages
    cellStyles: [PAGE_COLUMN, TEXT_COLUMN, bold(11), bold(16)],
  },
  headRows: (sheet, [, , nameStyle = 0, titleStyle = 0]) => {
    const columnNames = (row: number): Row => ({
      cells: [...textCells(1, row, 'Page', nameStyle), ...textCells(2, row, 'Text', nameStyle)],
    });
    if (sheet > 1) return [columnNames(1)];
    return [{ cells: textCells(1, 1, title, titleStyle), heightPt: TITLE_HEIGHT }, columnNames(2)];
  },
  lineRow: ({ text, page }, row, [pageStyle = 0, textStyle = 0]) => ({
    cells: [numberCell(1, row, page, pageStyle), ...textCells(2, row, text, textStyle)],
    heightPt: rowHeight(text, TEXT_WIDTH * FILLED_SHARE),
  }),
});
