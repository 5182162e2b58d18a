import type { RunningChecksum } from '../document/upload.ts';

/** Computes checksums. A checksum copies the bytes that it is given. */
export interface Checksums {
  sha256(): RunningChecksum;
}
