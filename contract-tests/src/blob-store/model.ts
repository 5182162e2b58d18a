import type { BlobStore, ByteRange } from '@palimpsest/core';
import { collected } from '../kit/collected.ts';
import { type OperationModel, operation } from '../kit/cross-check.ts';
import type { Random } from '../kit/random.ts';

const KEYS = ['a', 'a/b', 'a-b', 'ab', 'a/b/c', `z${'/y'.repeat(99)}`];
const BAD_KEYS = ['', '/a', '../a', 'a//b', 'A', 'a_b', 'a\0', 'é'];

async function* source(size: number, chunk: number, breaks: boolean): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < size; start += chunk) {
    yield Uint8Array.from({ length: Math.min(chunk, size - start) }, (_, i) => (start + i) % 251);
  }
  if (breaks) throw new RangeError('the source broke');
}

const aKey = (random: Random): string => random.pick(KEYS);

const bytesOf = async (blobs: BlobStore, key: string, range?: ByteRange): Promise<string | undefined> => {
  const chunks = await blobs.get(key, range);
  return chunks && Buffer.concat(await collected(chunks, (chunk) => chunk)).toString('base64');
};

/** Random operations on blobs. The times of storing are not compared: each store has its own clock. */
export const blobModel: OperationModel<BlobStore> = () => ({
  put: operation(
    (random) => ({
      key: aKey(random),
      size: random.pick([0, 1, 1000, 70_000]) + random.below(3),
      chunk: 1 + random.below(50_000),
    }),
    (blobs, { key, size, chunk }) => blobs.put(key, source(size, chunk, false)),
    3,
  ),
  'put under a bad key': operation(
    (random) => random.pick(BAD_KEYS),
    (blobs, key) => blobs.put(key, source(3, 3, false)),
  ),
  'put of a broken source': operation(aKey, async (blobs, key) => {
    try {
      return await blobs.put(key, source(60_000, 20_000, true));
    } catch (error) {
      // The port does not define which of the two errors has priority: the taken key or the failing source.
      if (error instanceof RangeError || error instanceof TypeError) return 'refused';
      throw error;
    }
  }),
  get: operation(aKey, (blobs, key) => bytesOf(blobs, key), 3),
  'get of a part': operation(
    (random) => {
      const start = random.below(1000);
      return { key: aKey(random), range: { start, end: start + random.below(80_000) } };
    },
    (blobs, { key, range }) => bytesOf(blobs, key, range),
    2,
  ),
  stat: operation(
    aKey,
    async (blobs, key) => {
      const info = await blobs.stat(key);
      return info && { key: info.key, byteSize: info.byteSize };
    },
    2,
  ),
  delete: operation(aKey, (blobs, key) => blobs.delete(key), 2),
  list: operation(
    () => undefined,
    async (blobs) => (await collected(blobs.list(), ({ key, byteSize }) => `${key} ${byteSize}`)).toSorted(),
  ),
  check: operation(
    () => undefined,
    (blobs) => blobs.check(),
  ),
});
