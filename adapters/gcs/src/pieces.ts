/** A piece of a stream. `bytes` may be used until the next piece is asked for. */
export interface Piece {
  readonly bytes: Buffer;
  readonly last: boolean;
}

/**
 * The bytes of `source` in pieces of `size`, all in the same memory; the last one is shorter or as long, and empty only
 * if there are no bytes. Each chunk is copied before the next one is asked for.
 */
export async function* piecesOf(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Piece> {
  const buffer = Buffer.alloc(size);
  let filled = 0;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length;) {
      if (filled === size) {
        yield { bytes: buffer, last: false };
        filled = 0;
      }
      const part = chunk.subarray(at, at + size - filled);
      buffer.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  }
  yield { bytes: buffer.subarray(0, filled), last: true };
}
