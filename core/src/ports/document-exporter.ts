import type { ExportedText, ExportFormat } from '../export/exported-text.ts';

/** Writes texts as files of one office format. */
export interface DocumentExporter {
  readonly format: ExportFormat;
  readonly mediaType: string;
  /**
   * The file, piece by piece while it is made; memory used does not grow with the text by more than a small multiple,
   * and other work of the process goes on in between. Any text that can be stored gives a file that Word, Excel and
   * LibreOffice open, with nothing in it that is run, calculated or fetched. A reader that stops early leaks nothing.
   */
  write(text: ExportedText): AsyncIterable<Uint8Array>;
}
