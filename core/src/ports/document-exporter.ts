import type { ExportedText, ExportFormat } from '../export/exported-text.ts';

/** Writes texts as files of one office format. */
export interface DocumentExporter {
  readonly format: ExportFormat;
  readonly mediaType: string;
  /**
   * The file, in parts while it is written. The memory used grows with the text by a small factor only, and other work
   * of the process continues meanwhile. Every text that can be stored becomes a file that Word, Excel and LibreOffice
   * open. Nothing in the file is executed, calculated or fetched. A reader that stops early leaks nothing.
   */
  write(text: ExportedText): AsyncIterable<Uint8Array>;
}
