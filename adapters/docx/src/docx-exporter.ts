import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { DocumentExporter, ExportedText } from '@palimpsest/core';
import { ZipFile } from 'yazl';
import { BODY_PART, packageFrame, type PackageFrame } from './package-frame.ts';
import { paragraphXml } from './paragraphs.ts';

const PIECE_LENGTH = 64 * 1024;
const PIECE_PARTS = 16 * 1024;
const OPTIONS = { compressionLevel: 4, forceDosTimestamp: true };

// Joined to pieces of a size that is worth the way through the archive, with time for others in between.
async function* body({ before, after }: PackageFrame, text: ExportedText): AsyncGenerator<Buffer> {
  let [piece, parts] = [before, 0];
  for (const part of paragraphXml(text)) {
    piece += part;
    parts++;
    if (piece.length < PIECE_LENGTH && parts < PIECE_PARTS) continue;
    if (piece !== '') yield Buffer.from(piece);
    [piece, parts] = ['', 0];
    await setImmediate();
  }
  yield Buffer.from(piece + after);
}

/**
 * Writes Word files with docx. A formatted text has its title as heading, each of its pages begins on a new page, and
 * its paragraphs are paragraphs; an unformatted one is a paragraph for each line.
 */
export class DocxExporter implements DocumentExporter {
  readonly format = 'docx';
  readonly mediaType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

  async *write(text: ExportedText): AsyncGenerator<Uint8Array> {
    const frame = await packageFrame(text.heading);
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    const paragraphs = Readable.from(body(frame, text), { objectMode: false });
    for (const source of [zip, paragraphs]) source.on('error', (error: Error) => output.destroy(error));
    for (const [name, part] of frame.leading) zip.addBuffer(part, name, OPTIONS);
    zip.addReadStream(paragraphs, BODY_PART, OPTIONS);
    for (const [name, part] of frame.others) zip.addBuffer(part, name, OPTIONS);
    zip.end();
    try {
      yield* output;
    } finally {
      paragraphs.destroy();
      output.destroy();
    }
  }
}
