import { createHash } from 'node:crypto';
import type { Checksums, RunningChecksum } from '@palimpsest/core';
import { MemoryChecksums } from '@palimpsest/memory';
import { describeChecksums } from '../../src/index.ts';
import { describeMutants, type Mutant } from './mutant.ts';

/** Changes the methods of each running checksum. */
const computing =
  (change: (sum: RunningChecksum) => Partial<RunningChecksum>): Mutant<Checksums> =>
  (original) => ({
    sha256: () => {
      const sum = original.sha256();
      return { ...sum, ...change(sum) };
    },
  });

describeMutants('Checksums', describeChecksums, () => new MemoryChecksums(), {
  'computes another checksum of the same length': () => ({
    sha256: () => {
      const hash = createHash('sha3-256');
      return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
    },
  }),
  'returns uppercase letters': computing((sum) => ({ hex: () => sum.hex().toUpperCase() })),
  'reads the chunks only at the end': computing((sum) => {
    const chunks: Uint8Array[] = [];
    return {
      update: (bytes) => void chunks.push(bytes),
      hex: () => {
        for (const chunk of chunks) sum.update(chunk);
        return sum.hex();
      },
    };
  }),
  'reads the whole buffer that a chunk is a part of': computing((sum) => ({
    update: (bytes) => sum.update(new Uint8Array(bytes.buffer)),
  })),
  'mixes checksums that are computed at the same time': (original) => {
    let shared: RunningChecksum | undefined;
    return {
      sha256: () => {
        const sum = (shared ??= original.sha256());
        return {
          update: (bytes) => sum.update(bytes),
          hex: () => {
            shared = undefined;
            return sum.hex();
          },
        };
      },
    };
  },
});
