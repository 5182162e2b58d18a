import { createHash } from 'node:crypto';
import type { Checksums, RunningChecksum } from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';

const opening =
  (sha256: () => RunningChecksum): Open<Checksums> =>
  async () => ({ subject: { sha256 }, close: async () => {} });

const collecting =
  (take: (bytes: Uint8Array) => Uint8Array, digest: (chunks: readonly Uint8Array[]) => string) =>
  (): RunningChecksum => {
    const chunks: Uint8Array[] = [];
    return { update: (bytes) => void chunks.push(take(bytes)), hex: () => digest(chunks) };
  };

const copy = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes);
const sha256 = (chunks: readonly Uint8Array[]): string =>
  createHash('sha256').update(Buffer.concat(chunks)).digest('hex');

/** The checksums that the mutants are made of pass the suite. */
export const plainChecksums = opening(collecting(copy, sha256));

/** Broken checksums, by what is wrong with them. */
export const checksumsMutants: Readonly<Record<string, Open<Checksums>>> = {
  'counts nothing': opening(collecting(() => new Uint8Array(), sha256)),
  'is another checksum of the same length': opening(
    collecting(copy, (chunks) => createHash('sha3-256').update(Buffer.concat(chunks)).digest('hex')),
  ),
  'writes upper case': opening(collecting(copy, (chunks) => sha256(chunks).toUpperCase())),
  'writes base64': opening(collecting(copy, (chunks) => Buffer.from(sha256(chunks), 'hex').toString('base64'))),
  'counts the last chunk only': opening(collecting(copy, (chunks) => sha256(chunks.slice(-1)))),
  'ignores the order': opening(collecting(copy, (chunks) => sha256([Buffer.concat(chunks).sort()]))),
  'drops NUL at the end': opening(
    collecting(copy, (chunks) =>
      createHash('sha256').update(Buffer.concat(chunks).toString('latin1').replace(/\0+$/, ''), 'latin1').digest('hex'),
    ),
  ),
  'reads bytes as text': opening(
    collecting(copy, (chunks) => createHash('sha256').update(Buffer.concat(chunks).toString('utf8')).digest('hex')),
  ),
  'keeps the memory it was given': opening(collecting((bytes) => bytes, sha256)),
  'reads the whole memory behind a part': opening(collecting((bytes) => new Uint8Array(bytes.buffer.slice(0)), sha256)),
  'mixes checksums in the making': opening(
    ((): (() => RunningChecksum) => {
      let hash = createHash('sha256');
      let running = 0;
      return () => {
        if (running++ === 0) hash = createHash('sha256');
        return { update: (bytes) => void hash.update(bytes), hex: () => (running--, hash.copy().digest('hex')) };
      };
    })(),
  ),
};
