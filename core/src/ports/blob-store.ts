import type { BlobInfo, ByteRange } from '../document/blob.ts';

/**
 * Keeps the bytes of uploaded files. Keys match `^[a-z0-9][a-z0-9/-]{0,199}$`, without `//`. Any number of callers
 * may use any keys at the same time.
 */
export interface BlobStore {
  /**
   * Stores the bytes that `source` yields and resolves with their count once they would survive a power cut. The blob
   * appears whole or not at all: if `source` throws, nothing is kept and that error is thrown on. A key that is taken is
   * never overwritten: `TypeError`. Memory used does not depend on the size.
   */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<number>;
  /**
   * Opens a blob, or the part of it in `range` (cut off at its end). `undefined` if there is none. What is read is the
   * blob as it was when it was opened, even if it is deleted meanwhile, or the read throws; never other bytes. A reader
   * that stops early leaks nothing.
   */
  get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Size and time of a blob, `undefined` if there is none. */
  stat(key: string): Promise<BlobInfo | undefined>;
  /** Removes a blob. Deleting what is gone succeeds. */
  delete(key: string): Promise<void>;
  /** All blobs that were stored before the call and not deleted since, in no order; never a half-written one. */
  list(): AsyncIterable<BlobInfo>;
  /** Resolves if blobs can be stored now; otherwise throws. */
  check(): Promise<void>;
}
