import { createHash } from 'node:crypto';
import type { Checksums, RunningChecksum } from '@palimpsest/core';
import { MemoryChecksums } from '@palimpsest/memory';
import { describeChecksums } from '../../src/index.ts';
import { describeMutants, type Mutant } from './mutant.ts';

/** Changes a checksum in the making. */
const making =
  (change: (sum: RunningChecksum) => Partial<RunningChecksum>): Mutant<Checksums> =>
  (sound) => ({
    sha256: () => {
      const sum = sound.sha256();
      return { ...sum, ...change(sum) };
    },
  });

describeMutants('Checksums', describeChecksums, () => new MemoryChecksums(), {
  'makes another checksum of the same length': () => ({
    sha256: () => {
      const hash = createHash('sha3-256');
      return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
    },
  }),
  'gives uppercase letters': making((sum) => ({ hex: () => sum.hex().toUpperCase() })),
  'reads the chunks only at the end': making((sum) => {
    const chunks: Uint8Array[] = [];
    return {
      update: (bytes) => void chunks.push(bytes),
      hex: () => {
        for (const chunk of chunks) sum.update(chunk);
        return sum.hex();
      },
    };
  }),
  'reads the whole buffer that a chunk is a part of': making((sum) => ({
    update: (bytes) => sum.update(new Uint8Array(bytes.buffer)),
  })),
  'mixes checksums that are made at the same time': (sound) => {
    let shared: RunningChecksum | undefined;
    return {
      sha256: () => {
        const sum = (shared ??= sound.sha256());
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
