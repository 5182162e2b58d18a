import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { ZipFile } from 'yazl';

/** A file in a package. Strings are written while they are generated, so a part may be larger than the memory. */
export interface PackagePart {
  readonly name: string;
  readonly content: Uint8Array | Iterable<string>;
}

const PIECE_LENGTH = 64 * 1024; // UTF-16 units
const STRINGS_PER_PIECE = 16 * 1024;
const OPTIONS = { compressionLevel: 4, forceDosTimestamp: true };

/** Joins strings to larger pieces. After each piece, it lets other work of this process run. */
async function* pieces(strings: Iterable<string>): AsyncGenerator<Buffer> {
  let [piece, count] = ['', 0];
  for (const string of strings) {
    piece += string;
    count++;
    if (piece.length < PIECE_LENGTH && count < STRINGS_PER_PIECE) continue;
    if (piece !== '') yield Buffer.from(piece);
    [piece, count] = ['', 0];
    await setImmediate();
  }
  if (piece !== '') yield Buffer.from(piece);
}

/**
 * Writes parts as a ZIP package, one after the other. It requests the next part after it has read the previous one. If
 * the reader stops early, it closes all iterators. It throws the error of an iterator.
 */
export async function* writePackage(
  parts: Iterable<PackagePart> | AsyncIterable<PackagePart>,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let source: Readable | undefined;
  const addParts = async (): Promise<void> => {
    for await (const { name, content } of parts) {
      if (content instanceof Uint8Array) {
        zip.addBuffer(Buffer.from(content.buffer, content.byteOffset, content.byteLength), name, OPTIONS);
        continue;
      }
      source = Readable.from(pieces(content), { objectMode: false });
      zip.addReadStream(source, name, OPTIONS);
      await finished(source);
    }
    zip.end();
  };
  zip.on('error', (error: Error) => output.destroy(error));
  const adding = addParts().catch((error: Error) => void output.destroy(error));
  try {
    yield* output;
  } finally {
    source?.destroy();
    output.destroy();
    await adding;
  }
}
