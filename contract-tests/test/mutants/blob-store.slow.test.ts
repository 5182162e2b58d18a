import type { BlobStore } from '@palimpsest/core';
import { MemoryBlobStore } from '@palimpsest/memory';
import { describeBlobStore } from '../../src/blob-store.contract.ts';
import { describeStoreMutants, foldCase, turn } from './mutant.ts';

const clock = { now: (): number => Date.now() * 1000 };

const bytesOf = async (source: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks = await Array.fromAsync(source, (chunk) => chunk.slice());
  return new Uint8Array(Buffer.concat(chunks));
};

async function* chunksOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** Changes the bytes that a read gives. */
const reading =
  (change: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>) =>
  (sound: BlobStore): Partial<BlobStore> => ({
    get: async (key, range) => {
      const chunks = await sound.get(key, range);
      return chunks && change(chunks);
    },
  });

describeStoreMutants('BlobStore', describeBlobStore, (store) => new MemoryBlobStore(store, clock), {
  'stores nothing': () => ({ put: async (_key, source) => (await bytesOf(source)).length }),
  'overwrites a blob': (sound, { blobs }) => ({
    put: async (key, source) => {
      const bytes = await bytesOf(source);
      blobs.delete(key);
      return await sound.put(key, chunksOf(bytes));
    },
  }),
  'checks only before it reads the source whether a key is taken': (sound, { blobs }) => ({
    put: async (key, source) => {
      if (blobs.has(key)) return await sound.put(key, source);
      const bytes = await bytesOf(source);
      blobs.delete(key);
      return await sound.put(key, chunksOf(bytes));
    },
  }),
  'keeps the bytes that came before the source failed': (sound) => ({
    put: async (key, source) => {
      let failure: unknown;
      async function* cut(): AsyncGenerator<Uint8Array> {
        try {
          yield* source;
        } catch (error) {
          failure = error;
        }
      }
      const byteSize = await sound.put(key, cut());
      if (failure !== undefined) throw failure;
      return byteSize;
    },
  }),
  'shows a blob while it is written': (sound, { blobs }) => ({
    put: async (key, source) => {
      if (blobs.has(key)) return await sound.put(key, source);
      async function* shown(): AsyncGenerator<Uint8Array> {
        for await (const chunk of source) {
          blobs.set(key, { bytes: chunk.slice(), storedAt: clock.now() });
          yield chunk;
          blobs.delete(key);
        }
      }
      try {
        return await sound.put(key, shown());
      } catch (error) {
        blobs.delete(key);
        throw error;
      }
    },
  }),
  'wraps the error of the source': (sound) => ({
    put: (key, source) =>
      sound.put(key, source).catch((error: unknown) => {
        throw error instanceof TypeError ? error : new Error('put failed', { cause: error });
      }),
  }),
  'keeps a reference to the chunks of the source': (sound) => ({
    put: async (key, source) => await sound.put(key, chunksOf(...(await Array.fromAsync(source)))),
  }),
  'takes an empty chunk as the end of the source': (sound) => ({
    put: async (key, source) => {
      async function* cut(): AsyncGenerator<Uint8Array> {
        for await (const chunk of source) {
          if (chunk.length === 0) return;
          yield chunk;
        }
      }
      return await sound.put(key, cut());
    },
  }),
  'accepts keys that are not allowed': (_sound, { blobs }) => ({
    put: async (key, source) => {
      const bytes = await bytesOf(source);
      if (blobs.has(key)) throw new TypeError('taken');
      blobs.set(key, { bytes, storedAt: clock.now() });
      return bytes.length;
    },
  }),
  'stores keys with slashes and dashes under the same name': (_sound, { blobs }) => {
    for (const name of ['get', 'has', 'set', 'delete'] as const) {
      const own = Map.prototype[name];
      Reflect.set(blobs, name, (key: string, ...rest: readonly unknown[]) =>
        Reflect.apply(own, blobs, [key.replaceAll('/', '-'), ...rest]),
      );
    }
    return {};
  },
  'loses the last byte of a long blob': reading(async function* (chunks) {
    const bytes = await bytesOf(chunks);
    yield bytes.length > 100_000 ? bytes.subarray(0, -1) : bytes;
  }),
  'reads every chunk into the same buffer': reading(async function* (chunks) {
    const buffer = new Uint8Array(65_536);
    for await (const chunk of chunks) {
      buffer.set(chunk);
      yield buffer.subarray(0, chunk.length);
    }
  }),
  'gives readers the memory in which the blob is stored': (sound, { blobs }) => ({
    get: async (key, range) => {
      const blob = blobs.get(key);
      if (blob === undefined) return undefined;
      return chunksOf(range ? blob.bytes.subarray(range.start, range.end + 1) : blob.bytes);
    },
  }),
  'treats the end of a range as exclusive': (sound) => ({
    get: (key, range) => sound.get(key, range && { start: range.start, end: range.end - 1 }),
  }),
  'ignores ranges': (sound) => ({ get: (key) => sound.get(key) }),
  'throws for a range that starts after the end': (sound, { blobs }) => ({
    get: async (key, range) => {
      const size = blobs.get(key)?.bytes.length ?? Infinity;
      if (range && range.start >= size) throw new RangeError('416');
      return await sound.get(key, range);
    },
  }),
  'gives an empty blob for an absent one': (sound) => ({
    get: async (key, range) => (await sound.get(key, range)) ?? chunksOf(),
  }),
  'reads later chunks from a new blob under the same key': (sound, { blobs }) => ({
    get: async (key, range) => {
      if (range || !blobs.has(key)) return await sound.get(key, range);
      async function* byKey(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < (blobs.get(key)?.bytes.length ?? 0); at += 65_536) {
          yield blobs.get(key)?.bytes.slice(at, at + 65_536) ?? new Uint8Array();
        }
      }
      return byKey();
    },
  }),
  'ends all readers when one stops early': (sound) => {
    let stops = 0;
    return reading(async function* (chunks) {
      const before = stops;
      let isDone = false;
      try {
        for await (const chunk of chunks) {
          if (stops !== before) throw new Error('connection closed');
          yield chunk;
        }
        isDone = true;
      } finally {
        if (!isDone) stops++;
      }
    })(sound);
  },
  'remembers the size of an earlier blob under the key': (sound) => {
    const known = new Map<string, number>();
    return {
      stat: async (key) => {
        const info = await sound.stat(key);
        if (info === undefined) return undefined;
        known.set(key, known.get(key) ?? info.byteSize);
        return { ...info, byteSize: known.get(key) ?? info.byteSize };
      },
    };
  },
  'gives the time in milliseconds': (sound) => ({
    stat: async (key) => {
      const info = await sound.stat(key);
      return info && { ...info, storedAt: Math.floor(info.storedAt / 1000) };
    },
  }),
  'does not delete': () => ({ delete: async () => {} }),
  'throws when it deletes an absent blob': (sound, { blobs }) => ({
    delete: async (key) => {
      if (!blobs.has(key)) throw new Error('ENOENT');
      await sound.delete(key);
    },
  }),
  'deletes every blob whose key begins alike': (_sound, { blobs }) => ({
    delete: async (key) => {
      for (const other of blobs.keys()) if (other.startsWith(key)) blobs.delete(other);
    },
  }),
  'lists at most 1,000 blobs': (sound) => ({
    list: async function* () {
      let count = 0;
      for await (const info of sound.list()) if (count++ < 1000) yield info;
    },
  }),
  'lists by offset and skips a blob when another is deleted': (sound, { blobs }) => ({
    list: async function* () {
      for (let i = 0; i < blobs.size; i++) {
        const info = await sound.stat([...blobs.keys()][i] ?? '');
        if (info) yield info;
      }
    },
  }),
  'leaves the blob of its check behind': (sound) => ({
    check: async () => void (await sound.put('check', chunksOf(new Uint8Array()))),
  }),
});
