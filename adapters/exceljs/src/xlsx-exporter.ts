import type { DocumentExporter, ExportedText } from '@palimpsest/core';
import { StreamedWorkbook } from './streamed-workbook.ts';
import { writeSheets } from './sheets.ts';

/**
 * Writes Excel files with ExcelJS. A formatted text has its title in a row above, and a row for each line with the number
 * of its page; an unformatted one is a column of lines. Every cell with text is a string in text format. What is too
 * long for a cell goes on in the cells to the right; what is too long for a sheet goes on in "Text 2" and so on.
 */
export class XlsxExporter implements DocumentExporter {
  readonly format = 'xlsx';
  readonly mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

  async *write(text: ExportedText): AsyncGenerator<Uint8Array> {
    const book = new StreamedWorkbook(text.heading);
    const fail = (error: unknown): void => void book.output.destroy(error as Error);
    const written = writeSheets(book, text).then(() => void book.commit().catch(fail), fail);
    try {
      yield* book.output;
    } finally {
      book.stop();
      await written;
    }
  }
}
