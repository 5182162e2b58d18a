import type { BlobInfo, ByteRange } from '../document/blob.ts';

/**
 * Stores the bytes of uploaded files. Keys match `^[a-z0-9][a-z0-9/-]{0,199}$`, without `//`. Any number of callers may
 * use any keys at the same time.
 */
export interface BlobStore {
  /**
   * Stores the bytes that `source` yields, and resolves with their number when they would survive a power failure. Each
   * chunk is copied before the next one is requested. The blob appears whole or not at all: if `source` throws, nothing
   * is stored and the same error is thrown. An invalid key is a `TypeError`, and so is a key that is taken: a blob is
   * never overwritten. The memory used does not depend on the size.
   */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<number>;
  /**
   * Opens a blob, or the part of it in `range` (cut at the end of the blob). `undefined` if the blob does not exist.
   * The reader gets the bytes of the blob as it was opened, or the read throws, also if the blob is deleted meanwhile.
   * The reader may modify and keep the chunks. A reader that stops early leaks nothing.
   */
  get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The metadata of a blob, `undefined` if it does not exist. */
  stat(key: string): Promise<BlobInfo | undefined>;
  /** Deletes a blob. Deleting a blob that does not exist succeeds. */
  delete(key: string): Promise<void>;
  /** All blobs that were stored before the call and not deleted since, in no order; never a partly written blob. */
  list(): AsyncIterable<BlobInfo>;
  /** Resolves if blobs can be stored now, otherwise throws. No blob remains. */
  check(): Promise<void>;
}
