import type { FileHandle } from 'node:fs/promises';
import { translated } from './errors.ts';

const CHUNK_BYTES = 65_536;

// Closes the files of readers that are garbage-collected before they are read to the end.
const unreadFiles = new FinalizationRegistry<FileHandle>((handle) => void handle.close());

/**
 * The bytes of an open file from `start` up to `end` (exclusive). Reads one chunk per call of `next`, each into new
 * memory. Closes the file at the end, on an error, and when the caller stops early, even before the first chunk. (A
 * generator would not run its cleanup if the caller stops before the first chunk.)
 */
export class FileReader implements AsyncIterableIterator<Uint8Array> {
  readonly #handle: FileHandle;
  readonly #end: number;
  #at: number;
  #closing: Promise<void> | undefined;

  constructor(handle: FileHandle, start: number, end: number) {
    this.#handle = handle;
    this.#at = start;
    this.#end = end;
    unreadFiles.register(this, handle, this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const start = this.#at;
    const length = Math.min(CHUNK_BYTES, this.#end - start);
    if (length <= 0 || this.#closing) {
      await this.#close();
      return { done: true, value: undefined };
    }
    this.#at += length;
    try {
      return { done: false, value: await this.#read(start, length) };
    } catch (error) {
      await this.#close();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    await this.#close();
    return { done: true, value: undefined };
  }

  async #read(start: number, length: number): Promise<Uint8Array> {
    const chunk = new Uint8Array(length);
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await translated(this.#handle.read(chunk, filled, length - filled, start + filled));
      if (bytesRead === 0) throw new Error('A stored file is shorter than when it was opened');
      filled += bytesRead;
    }
    return chunk;
  }

  async #close(): Promise<void> {
    this.#at = this.#end;
    unreadFiles.unregister(this);
    this.#closing ??= this.#handle.close();
    await this.#closing;
  }
}
