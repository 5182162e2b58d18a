import type { DocumentExporter, ExportedText } from '@palimpsest/core';
import { writePackage } from '@palimpsest/office-package';
import { workbookParts } from './workbook-parts.ts';

/**
 * Writes Excel files with ExcelJS. A formatted text has a row for its title, a row for the column names, and a row for each
 * line with its page number. An unformatted text is a column of lines. Every text cell is a string in text format. A line
 * that is too long for a cell continues in the cells to the right. A text that is too long for a sheet continues in the
 * sheets "Text 2", "Text 3" and so on.
 */
export class XlsxExporter implements DocumentExporter {
  readonly format = 'xlsx';
  readonly mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

  async *write(text: ExportedText): AsyncGenerator<Uint8Array> {
    yield* writePackage(workbookParts(text));
  }
}
