import type { ExportedText, ExportFormat } from '../export/exported-text.ts';

/** Writes texts as files of one office format. */
export interface DocumentExporter {
  readonly format: ExportFormat;
  readonly mediaType: string;
  /**
   * The file, in chunks of at most 1 MiB while it is written. The text is read only as far as the file is read, so that
   * the memory used grows with the text by a small factor only, and other work of the process continues meanwhile.
   * Every text that can be stored becomes a file that Word, Excel and LibreOffice open. Nothing in the file is
   * executed, calculated or fetched. An error of the text is thrown to the reader. When a reader stops early, the text
   * is closed and nothing leaks.
   */
  write(text: ExportedText): AsyncIterable<Uint8Array>;
}
