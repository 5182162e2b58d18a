import type { RunningChecksum } from '../document/upload.ts';

/** Computes checksums. */
export interface Checksums {
  sha256(): RunningChecksum;
}
