import { randomUUID } from 'node:crypto';
import { CRC32C } from '@google-cloud/storage';
import { isAppError } from '@palimpsest/core';
import { isRefusal } from './errors.ts';
import type { GcsClient } from './gcs-client.ts';
import { findObject, KEY_MARK, PUT_MARK } from './stored-object.ts';

const MEDIA_TYPE = 'application/octet-stream'; // prevents that a cache compresses the blob or a browser displays it

const BLOCK_BYTES = 65_536; // small chunks are joined, because each block becomes a write to the connection

/** The bytes of a source, in memory. */
interface BufferedSource {
  readonly blocks: readonly Buffer[];
  readonly byteSize: number;
  readonly crc32c: string; // big-endian, in Base64
}

const buffer = async (source: AsyncIterable<Uint8Array>): Promise<BufferedSource> => {
  const blocks: Buffer[] = [];
  const crc32c = new CRC32C();
  let chunks: Buffer[] = [];
  let chunkBytes = 0;
  const joinChunks = (): void => {
    const block = Buffer.concat(chunks);
    crc32c.update(block);
    blocks.push(block);
    [chunks, chunkBytes] = [[], 0];
  };
  for await (const chunk of source) {
    chunks.push(Buffer.from(chunk)); // a copy, because the source may reuse the memory of its chunk
    chunkBytes += chunk.length;
    if (chunkBytes >= BLOCK_BYTES) joinChunks();
  }
  joinChunks();
  const byteSize = blocks.reduce((sum, block) => sum + block.length, 0);
  return { blocks, byteSize, crc32c: crc32c.toString() };
};

/**
 * Stores `source` as a new object in one request and returns its size. The source is buffered first, so that a failing
 * source stores nothing and a failed request can be sent again. The service verifies the checksum before it stores the
 * object, and refuses to overwrite one. Throws the errors of `BlobStore.put`.
 */
export const putObject = async (
  client: GcsClient,
  name: string,
  key: string,
  source: AsyncIterable<Uint8Array>,
): Promise<number> => {
  const { blocks, byteSize, crc32c } = await buffer(source);
  const putId = randomUUID();
  const options = {
    resumable: false,
    validation: false, // otherwise the client could delete an object that another call stored under this name
    preconditionOpts: { ifGenerationMatch: 0 },
  };
  try {
    await client.call((bucket, onProgress) => {
      const metadata = { contentType: MEDIA_TYPE, crc32c, metadata: { [KEY_MARK]: key, [PUT_MARK]: putId } };
      return bucket.file(name).save(() => blocks, { ...options, metadata, onUploadProgress: onProgress });
    });
    return byteSize;
  } catch (error) {
    const isTaken = isRefusal(error, 412);
    if (!isTaken && !isAppError(error)) throw error;
    // An attempt may have stored the object although its answer was lost.
    const found = await findObject(client, name);
    if (found?.marks[PUT_MARK] === putId) return byteSize;
    throw isTaken ? new TypeError('A blob with this key is stored already', { cause: error }) : error;
  }
};
