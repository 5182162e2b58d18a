import type { BlobInfo, BlobStore, ByteRange } from '@palimpsest/core';
import { collected } from '../kit/collected.ts';
import type { Open } from '../kit/harness.ts';

interface Blob {
  readonly bytes: Uint8Array;
  readonly storedAt: number;
}

const KEY = /^[a-z0-9][a-z0-9/-]{0,199}$/;
const noBytes: Uint8Array = new Uint8Array();

// A plain array, as the slices of a Buffer share its memory.
const joined = (chunks: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(chunks));

/** A sound store in memory, small enough to be broken in one place at a time. */
class PlainBlobStore implements BlobStore {
  readonly blobs: Map<string, Blob>;

  constructor(blobs = new Map<string, Blob>()) {
    this.blobs = blobs;
  }

  async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    this.checkKey(key);
    const bytes = joined(await collected(source, (chunk) => Uint8Array.from(chunk)));
    if (this.blobs.has(key)) throw new TypeError('taken');
    this.blobs.set(key, { bytes, storedAt: Date.now() * 1000 });
    return bytes.length;
  }

  async get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const blob = this.blobs.get(key);
    return blob && this.read(range ? blob.bytes.subarray(range.start, range.end + 1) : blob.bytes);
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    const blob = this.blobs.get(key);
    return blob && { key, byteSize: blob.bytes.length, storedAt: blob.storedAt };
  }

  async delete(key: string): Promise<void> {
    this.blobs.delete(key);
  }

  async *list(): AsyncGenerator<BlobInfo> {
    for (const [key, { bytes, storedAt }] of Array.from(this.blobs)) yield { key, byteSize: bytes.length, storedAt };
  }

  async check(): Promise<void> {}

  protected checkKey(key: string): void {
    if (!KEY.test(key) || key.includes('//')) throw new TypeError('not a key');
  }

  protected async *read(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.slice(at, at + 65_536);
  }
}

const openWith =
  (Store: typeof PlainBlobStore, secondSees = true): Open<BlobStore> =>
  async () => {
    const blobs = new Map<string, Blob>();
    const again = async (): Promise<BlobStore> => new Store(secondSees ? blobs : undefined);
    return { subject: new Store(blobs), openSecond: again, reopen: again, close: async () => {} };
  };

/** The store that the mutants are made of passes the suite. */
export const plainBlobStore: Open<BlobStore> = openWith(PlainBlobStore);

/** Broken stores, by what is wrong with them. */
export const blobStoreMutants: Readonly<Record<string, Open<BlobStore>>> = {
  'stores nothing': openWith(
    class extends PlainBlobStore {
      override async put(_: string, source: AsyncIterable<Uint8Array>): Promise<number> {
        return (await collected(source, (chunk) => chunk.length)).reduce((sum, length) => sum + length, 0);
      }
    },
  ),
  'gives a neighbour for a similar key': openWith(
    class extends PlainBlobStore {
      override async get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
        return await super.get(
          Array.from(this.blobs.keys()).find((other) => other.replaceAll('/', '-') === key.replaceAll('/', '-')) ?? key,
          range,
        );
      }
    },
  ),
  'deletes everything below a key': openWith(
    class extends PlainBlobStore {
      override async delete(key: string): Promise<void> {
        for (const other of Array.from(this.blobs.keys())) if (other.startsWith(key)) this.blobs.delete(other);
      }
    },
  ),
  'throws when what is gone is deleted': openWith(
    class extends PlainBlobStore {
      override async delete(key: string): Promise<void> {
        if (!this.blobs.delete(key)) throw new Error('ENOENT');
      }
    },
  ),
  'does not delete': openWith(
    class extends PlainBlobStore {
      override async delete(): Promise<void> {}
    },
  ),
  overwrites: openWith(
    class extends PlainBlobStore {
      override async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
        const had = this.blobs.get(key);
        this.blobs.delete(key);
        try {
          return await super.put(key, source);
        } catch (error) {
          if (had) this.blobs.set(key, had);
          throw error;
        }
      }
    },
  ),
  'looks whether a key is taken before it reads the source only': openWith(
    class extends PlainBlobStore {
      override async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
        this.checkKey(key);
        if (this.blobs.has(key)) throw new TypeError('taken');
        const bytes = joined(await collected(source, (chunk) => Uint8Array.from(chunk)));
        this.blobs.set(key, { bytes, storedAt: Date.now() * 1000 });
        return bytes.length;
      }
    },
  ),
  'keeps what came before the source broke': openWith(
    class extends PlainBlobStore {
      override async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
        this.checkKey(key);
        if (this.blobs.has(key)) throw new TypeError('taken');
        const chunks: Uint8Array[] = [];
        try {
          for await (const chunk of source) chunks.push(Uint8Array.from(chunk));
        } finally {
          this.blobs.set(key, { bytes: joined(chunks), storedAt: Date.now() * 1000 });
        }
        return joined(chunks).length;
      }
    },
  ),
  'shows a blob while it is written': openWith(
    class extends PlainBlobStore {
      override async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
        this.checkKey(key);
        if (this.blobs.has(key)) throw new TypeError('taken');
        let bytes = noBytes;
        try {
          for await (const chunk of source) {
            bytes = joined([bytes, chunk]);
            this.blobs.set(key, { bytes, storedAt: Date.now() * 1000 });
          }
        } catch (error) {
          this.blobs.delete(key);
          throw error;
        }
        this.blobs.set(key, { bytes, storedAt: Date.now() * 1000 });
        return bytes.length;
      }
    },
  ),
  'wraps the error of the source': openWith(
    class extends PlainBlobStore {
      override async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
        try {
          return await super.put(key, source);
        } catch (error) {
          throw error instanceof TypeError ? error : new Error('put failed', { cause: error });
        }
      }
    },
  ),
  'loses the last byte': openWith(
    class extends PlainBlobStore {
      protected override read(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
        return super.read(bytes.length > 100_000 ? bytes.subarray(0, -1) : bytes);
      }
    },
  ),
  'keeps the memory of the source': openWith(
    class extends PlainBlobStore {
      override async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
        const chunks = await collected(source, (chunk) => chunk);
        return await super.put(key, chunksAgain(chunks));
      }
    },
  ),
  'gives its own memory to readers': openWith(
    class extends PlainBlobStore {
      protected override async *read(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
        if (bytes.length > 0) yield bytes;
      }
    },
  ),
  'reads every chunk into the same memory': openWith(
    class extends PlainBlobStore {
      protected override async *read(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
        const buffer = new Uint8Array(65_536);
        for (let at = 0; at < bytes.length; at += 65_536) {
          const part = bytes.subarray(at, at + 65_536);
          buffer.set(part);
          yield buffer.subarray(0, part.length);
        }
      }
    },
  ),
  'takes the end of a range as exclusive': openWith(
    class extends PlainBlobStore {
      override async get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
        return await super.get(key, range && { start: range.start, end: range.end - 1 });
      }
    },
  ),
  'ignores ranges': openWith(
    class extends PlainBlobStore {
      override async get(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
        return await super.get(key);
      }
    },
  ),
  'has no blob where a range begins behind its end': openWith(
    class extends PlainBlobStore {
      override async get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
        return range && range.start >= (this.blobs.get(key)?.bytes.length ?? 0)
          ? undefined
          : await super.get(key, range);
      }
    },
  ),
  'gives an empty blob for absence': openWith(
    class extends PlainBlobStore {
      override async get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
        return (await super.get(key, range)) ?? this.read(noBytes);
      }
    },
  ),
  'keeps two megabytes of a blob': openWith(
    class extends PlainBlobStore {
      override async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
        const byteSize = await super.put(key, source);
        const blob = this.blobs.get(key);
        if (blob) this.blobs.set(key, { ...blob, bytes: blob.bytes.subarray(0, 2_000_000) });
        return byteSize;
      }
    },
  ),
  'ends all readings when one reader stops early': openWith(
    class extends PlainBlobStore {
      #stopped = 0;

      protected override async *read(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
        const before = this.#stopped;
        let done = false;
        try {
          for await (const chunk of super.read(bytes)) {
            if (this.#stopped !== before) throw new Error('the connection was closed');
            yield chunk;
          }
          done = true;
        } finally {
          if (!done) this.#stopped++;
        }
      }
    },
  ),
  'reads by key for each chunk': openWith(
    class extends PlainBlobStore {
      override async get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
        if (range || !this.blobs.has(key)) return await super.get(key, range);
        return this.#readByKey(key);
      }

      async *#readByKey(key: string): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < (this.blobs.get(key)?.bytes.length ?? 0); at += 65_536) {
          yield this.blobs.get(key)?.bytes.slice(at, at + 65_536) ?? noBytes;
        }
      }
    },
  ),
  'takes any string as a key': openWith(
    class extends PlainBlobStore {
      protected override checkKey(): void {}
    },
  ),
  'lists the first fifty only': openWith(
    class extends PlainBlobStore {
      override async *list(): AsyncGenerator<BlobInfo> {
        let count = 0;
        for await (const info of super.list()) if (count++ < 50) yield info;
      }
    },
  ),
  'lists by offset, so that it skips when a blob goes': openWith(
    class extends PlainBlobStore {
      override async *list(): AsyncGenerator<BlobInfo> {
        for (let i = 0; i < this.blobs.size; i++) {
          const info = await this.stat(Array.from(this.blobs.keys())[i] ?? '');
          if (info) yield info;
        }
      }
    },
  ),
  'leaves its trial behind': openWith(
    class extends PlainBlobStore {
      override async check(): Promise<void> {
        this.blobs.set('check', { bytes: noBytes, storedAt: Date.now() * 1000 });
      }
    },
  ),
  'tells the time in milliseconds with a fraction': openWith(
    class extends PlainBlobStore {
      override async *list(): AsyncGenerator<BlobInfo> {
        for await (const info of super.list()) yield { ...info, storedAt: 0.5 };
      }
    },
  ),
  'keeps blobs in the handle alone': openWith(PlainBlobStore, false),
};

async function* chunksAgain(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
