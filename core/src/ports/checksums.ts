import type { RunningChecksum } from '../document/upload.ts';

/** Makes checksums. */
export interface Checksums {
  sha256(): RunningChecksum;
}
