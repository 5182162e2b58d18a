import type { ExportedText, ExportFormat } from '../export/exported-text.ts';

/** Writes texts as files of one office format. */
export interface DocumentExporter {
  readonly format: ExportFormat;
  readonly mediaType: string;
  /**
   * The file, in chunks of at most 1 MiB. The file is written lazily, as the caller reads it: the memory used is at
   * most a small multiple of the text, and other work of the process continues meanwhile. Every text that can be stored
   * becomes a file that Word, Excel and LibreOffice open. Nothing in the file is executed, calculated or fetched. An
   * error of the text is thrown to the caller. When the caller stops early, the iterator of the text is closed and no
   * resources leak.
   */
  write(text: ExportedText): AsyncIterable<Uint8Array>;
}
