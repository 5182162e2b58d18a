import type { Instant } from '../units.ts';

/** A part of a blob: the bytes from `start` to `end`, both inclusive and counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The metadata of a blob. */
export interface BlobInfo {
  readonly key: string;
  readonly byteSize: number;
  readonly storedAt: Instant; // by the store's own clock
}
