import type { DocumentExporter, ExportedLine, ExportedText, ExportFormat } from '@palimpsest/core';

/** The content of a toy export. */
export interface ToyExport {
  readonly format: ExportFormat;
  readonly heading: string | undefined;
  readonly lines: readonly ExportedLine[];
}

const PIECE_LENGTH = 64 * 1024;

const utf8 = new TextEncoder();

/** Writes toy files: a line of JSON with the format and the heading, then a line of JSON for each line of the text. */
export class MemoryDocumentExporter implements DocumentExporter {
  readonly format: ExportFormat;
  readonly mediaType: string;

  constructor(format: ExportFormat) {
    this.format = format;
    const office = 'application/vnd.openxmlformats-officedocument';
    this.mediaType = format === 'docx' ? `${office}.wordprocessingml.document` : `${office}.spreadsheetml.sheet`;
  }

  async *write(text: ExportedText): AsyncGenerator<Uint8Array> {
    let piece = JSON.stringify({ format: this.format, heading: text.heading });
    for (const line of text.lines()) {
      piece += `\n${JSON.stringify(line)}`;
      if (piece.length < PIECE_LENGTH) continue;
      yield utf8.encode(piece);
      piece = '';
      await new Promise((resolve) => setImmediate(resolve)); // lets other work run
    }
    if (piece !== '') yield utf8.encode(piece);
  }
}

/** Reads a file that {@link MemoryDocumentExporter} wrote. */
export const readToyExport = (file: Uint8Array): ToyExport => {
  const [head = '', ...lines] = new TextDecoder().decode(file).split('\n');
  return { heading: undefined, ...JSON.parse(head), lines: lines.map((line) => JSON.parse(line)) };
};
