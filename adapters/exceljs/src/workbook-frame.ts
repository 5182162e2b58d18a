import { readPackage } from '@palimpsest/office-package';
import type { PackagePart } from '@palimpsest/office-package';
import ExcelJS from 'exceljs';

/**
 * The design of a workbook. The sheets have the same columns; the first one may have more head rows than the others.
 */
export interface WorkbookDesign {
  readonly title: string | undefined;
  readonly columns: readonly { readonly width?: number; readonly style: Partial<ExcelJS.Style> }[]; // width in digits
  readonly frozenRows: (sheet: number) => number; // rows that stay visible while scrolling
  readonly pageSetup: Partial<ExcelJS.PageSetup>;
  readonly cellStyles: readonly Partial<ExcelJS.Style>[];
}

/** The parts of a workbook around the rows of its sheets. */
export interface WorkbookFrame {
  /** The XML of a sheet before its first row and after its last row. */
  readonly sheetXml: (sheet: number) => { readonly before: string; readonly after: string };
  /** The numbers by which cells refer to the `cellStyles` of the design. */
  readonly styleNumbers: readonly number[];
  readonly others: readonly PackagePart[]; // all parts except the sheets
}

const PRODUCT = 'Palimpsest';
const ROWS = /<sheetData>(.*)<\/sheetData>/s;
const DIMENSION = /<dimension [^>]*>/; // the optional cell range of the sheet, which is wrong for the rows of the text
const STYLE_NUMBER = / s="(\d+)"/g;

/** The name of the part with sheet number `sheet`, from 1. */
export const sheetPart = (sheet: number): string => `xl/worksheets/sheet${sheet}.xml`;

/**
 * Lets ExcelJS write a workbook with `sheets` sheets. Their only row has a cell for each style. Splits the XML of the
 * sheets at that row. ExcelJS does not write the rows of the text, because it keeps all rows in memory, and its
 * streaming writer does not wait for a slow reader, drops U+007F, and loses blanks at the ends of texts.
 */
export const workbookFrame = async (design: WorkbookDesign, sheets: number): Promise<WorkbookFrame> => {
  const book = new ExcelJS.Workbook();
  book.creator = PRODUCT;
  book.lastModifiedBy = PRODUCT;
  if (design.title !== undefined) book.title = design.title;
  for (let number = 1; number <= sheets; number++) {
    const frozenRows = design.frozenRows(number);
    const views: Partial<ExcelJS.WorksheetView>[] = frozenRows === 0 ? [] : [{ state: 'frozen', ySplit: frozenRows }];
    const name = number === 1 ? 'Text' : `Text ${number}`;
    const sheet = book.addWorksheet(name, { views, pageSetup: design.pageSetup });
    sheet.columns = design.columns.map((column) => ({ ...column }));
    const row = sheet.getRow(1);
    design.cellStyles.forEach((style, i) => (row.getCell(i + 1).style = style));
  }
  const parts = readPackage(new Uint8Array(await book.xlsx.writeBuffer()));
  const xmlOf = (sheet: number): string => new TextDecoder().decode(parts.get(sheetPart(sheet)));
  const [, row = ''] = ROWS.exec(xmlOf(1)) ?? [];
  const sheetNames = Array.from({ length: sheets }, (_, i) => sheetPart(i + 1));
  return {
    sheetXml: (sheet) => {
      const [before, , after] = xmlOf(sheet).replace(DIMENSION, '').split(ROWS);
      if (before === undefined || after === undefined)
        throw new TypeError('ExcelJS wrote the sheet in an unexpected form');
      return { before: `${before}<sheetData>`, after: `</sheetData>${after}` };
    },
    styleNumbers: [...row.matchAll(STYLE_NUMBER)].map(([, number]) => Number(number)),
    others: [...parts].filter(([name]) => !sheetNames.includes(name)).map(([name, content]) => ({ name, content })),
  };
};
