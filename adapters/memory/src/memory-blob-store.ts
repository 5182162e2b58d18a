import type { BlobInfo, BlobStore, ByteRange, Clock } from '@palimpsest/core';
import type { MemoryStore } from './memory-store.ts';

const KEY = /^[a-z0-9][a-z0-9/-]{0,199}$/;
const CHUNK_BYTES = 65_536;

const checkKey = (key: string): void => {
  if (!KEY.test(key) || key.includes('//')) throw new TypeError('This is not a blob key');
};

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.slice(at, at + CHUNK_BYTES);
}

/** Blobs in memory. One promise of the port is not kept: it keeps all blobs in memory, and a put copies its buffer. */
export class MemoryBlobStore implements BlobStore {
  readonly #store: MemoryStore;
  readonly #clock: Clock;

  constructor(store: MemoryStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    checkKey(key);
    this.#refuseTaken(key);
    const chunks: Uint8Array[] = [];
    for await (const chunk of source) chunks.push(chunk.slice());
    this.#refuseTaken(key);
    // A Uint8Array, because the slices of a Buffer share its memory.
    const bytes = new Uint8Array(Buffer.concat(chunks));
    this.#store.blobs.set(key, { bytes, storedAt: this.#clock.now() });
    return bytes.length;
  }

  async get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    checkKey(key);
    const blob = this.#store.blobs.get(key);
    if (blob === undefined) return undefined;
    return chunksOf(range === undefined ? blob.bytes : blob.bytes.subarray(range.start, range.end + 1));
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    checkKey(key);
    const blob = this.#store.blobs.get(key);
    return blob && { key, byteSize: blob.bytes.length, storedAt: blob.storedAt };
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    this.#store.blobs.delete(key);
  }

  async *list(): AsyncGenerator<BlobInfo> {
    const blobs = [...this.#store.blobs].map(([key, { bytes, storedAt }]) => ({
      key,
      byteSize: bytes.length,
      storedAt,
    }));
    for (const info of blobs) if (this.#store.blobs.has(info.key)) yield info;
  }

  async check(): Promise<void> {}

  #refuseTaken(key: string): void {
    if (this.#store.blobs.has(key)) throw new TypeError('A blob with this key is stored already');
  }
}
