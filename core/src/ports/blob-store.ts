import type { BlobInfo, ByteRange } from '../document/blob.ts';

/**
 * Stores the bytes of uploaded files. Keys match `^[a-z0-9][a-z0-9/-]{0,199}$`, without `//`. Any number of callers may
 * use any keys at the same time.
 */
export interface BlobStore {
  /**
   * Stores the bytes that `source` yields. Resolves with their number as soon as they are durable (they survive a power
   * failure). Copies each chunk before it requests the next one. A blob is stored whole or not at all: if `source`
   * throws, nothing is stored and the same error is thrown. An invalid key is a `TypeError`, and so is a key that is
   * taken: a blob is never overwritten. The memory used is at most the size of the blob plus a constant; an adapter that
   * buffers says so.
   */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<number>;
  /**
   * Opens a blob, or the part of it in `range`; a range that exceeds the blob ends with the blob. `undefined` if the
   * blob does not exist. If the blob is deleted during the read, the caller gets the bytes of the opened blob or an
   * error. The caller may modify and keep the chunks. A caller that stops early leaks no resources.
   */
  get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The metadata of a blob, `undefined` if it does not exist. */
  stat(key: string): Promise<BlobInfo | undefined>;
  /** Deletes a blob. Deleting a blob that does not exist succeeds. */
  delete(key: string): Promise<void>;
  /** All blobs that were stored before the call and not deleted since, in any order; never a partly written blob. */
  list(): AsyncIterable<BlobInfo>;
  /** Health check: resolves if blobs can be stored now, otherwise throws. Leaves no blob behind. */
  check(): Promise<void>;
}
