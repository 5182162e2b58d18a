import type { BlobStore } from '@palimpsest/core';
import { MemoryBlobStore } from '@palimpsest/memory';
import { describeBlobStore, describeLongBlobStore } from '../../src/index.ts';
import { collected } from '../../src/kit/collected.ts';
import { type DescribeSuite, describeStoreMutants, foldKeys } from './mutant.ts';

const clock = { now: (): number => Date.now() * 1000 };

const bytesOf = async (source: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks = await collected(source, (chunk) => chunk.slice());
  return new Uint8Array(Buffer.concat(chunks));
};

async function* chunksOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const describeSuite: DescribeSuite<BlobStore> = (name, open, without) => {
  describeBlobStore(name, open, without);
  describeLongBlobStore(name, open);
};

describeStoreMutants('BlobStore', describeSuite, (store) => new MemoryBlobStore(store, clock), {
  'overwrites a blob': (original, { blobs }) => ({
    put: async (key, source) => {
      const bytes = await bytesOf(source);
      blobs.delete(key);
      return await original.put(key, chunksOf(bytes));
    },
  }),
  'stores the chunks that arrived before the source failed': (original) => ({
    put: async (key, source) => {
      let failure: unknown;
      async function* cut(): AsyncGenerator<Uint8Array> {
        try {
          yield* source;
        } catch (error) {
          failure = error;
        }
      }
      const byteSize = await original.put(key, cut());
      if (failure !== undefined) throw failure;
      return byteSize;
    },
  }),
  'shows a blob while it is written': (original, { blobs }) => ({
    put: async (key, source) => {
      if (blobs.has(key)) return await original.put(key, source);
      async function* shown(): AsyncGenerator<Uint8Array> {
        for await (const chunk of source) {
          blobs.set(key, { bytes: chunk.slice(), storedAt: clock.now() });
          yield chunk;
          blobs.delete(key);
        }
      }
      try {
        return await original.put(key, shown());
      } catch (error) {
        blobs.delete(key);
        throw error;
      }
    },
  }),
  'keeps a reference to the chunks of the source': (original) => ({
    put: async (key, source) => await original.put(key, chunksOf(...(await collected(source, (chunk) => chunk)))),
  }),
  'accepts keys that are not allowed': (_original, { blobs }) => ({
    put: async (key, source) => {
      const bytes = await bytesOf(source);
      if (blobs.has(key)) throw new TypeError('taken');
      blobs.set(key, { bytes, storedAt: clock.now() });
      return bytes.length;
    },
  }),
  'stores keys with slashes and dashes under the same name': (_original, { blobs }) => {
    foldKeys(blobs, (key) => key.replaceAll('/', '-'));
    return {};
  },
  'returns chunks that share the memory of the stored blob': (original, { blobs }) => ({
    get: async (key, range) => {
      const blob = blobs.get(key);
      if (blob === undefined) return undefined;
      return chunksOf(range ? blob.bytes.subarray(range.start, range.end + 1) : blob.bytes);
    },
  }),
  'treats the end of a range as exclusive': (original) => ({
    get: (key, range) => original.get(key, range && { start: range.start, end: range.end - 1 }),
  }),
  'returns an empty blob for an absent one': (original) => ({
    get: async (key, range) => (await original.get(key, range)) ?? chunksOf(),
  }),
  'reads later chunks from a new blob under the same key': (original, { blobs }) => ({
    get: async (key, range) => {
      if (range || !blobs.has(key)) return await original.get(key, range);
      async function* byKey(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < (blobs.get(key)?.bytes.length ?? 0); at += 65_536) {
          yield blobs.get(key)?.bytes.slice(at, at + 65_536) ?? new Uint8Array();
        }
      }
      return byKey();
    },
  }),
  'returns the time in milliseconds': (original) => ({
    stat: async (key) => {
      const info = await original.stat(key);
      return info && { ...info, storedAt: Math.floor(info.storedAt / 1000) };
    },
  }),
  'throws when it deletes an absent blob': (original, { blobs }) => ({
    delete: async (key) => {
      if (!blobs.has(key)) throw new Error('ENOENT');
      await original.delete(key);
    },
  }),
  'lists at most 1,000 blobs': (original) => ({
    list: async function* () {
      let count = 0;
      for await (const info of original.list()) if (count++ < 1000) yield info;
    },
  }),
  'lists by offset and skips a blob when another is deleted': (original, { blobs }) => ({
    list: async function* () {
      for (let i = 0; i < blobs.size; i++) {
        const info = await original.stat([...blobs.keys()][i] ?? '');
        if (info) yield info;
      }
    },
  }),
});
