import type { RunningChecksum } from '../document/upload.ts';

/** Computes checksums. After `update` returns, the caller may reuse the memory of the bytes. */
export interface Checksums {
  sha256(): RunningChecksum;
}
