import { createHash } from 'node:crypto';
import type { Checksums, RunningChecksum } from '@palimpsest/core';

/** SHA-256 by `node:crypto`. */
export class MemoryChecksums implements Checksums {
  sha256(): RunningChecksum {
    const hash = createHash('sha256');
    return {
      update: (bytes) => void hash.update(bytes),
      hex: () => hash.digest('hex'),
    };
  }
}
