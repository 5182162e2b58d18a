import { createHash } from 'node:crypto';
import type { Checksums, RunningChecksum } from '@palimpsest/core';

/** Checksums with Node's `crypto` module. */
export class NodeChecksums implements Checksums {
  sha256(): RunningChecksum {
    const hash = createHash('sha256');
    return {
      update: (bytes) => void hash.update(bytes),
      hex: () => hash.digest('hex'),
    };
  }
}
