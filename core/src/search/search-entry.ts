import type { Instant } from '../units.ts';

/** The searchable fields of a document. */
export interface SearchEntry {
  readonly documentId: string;
  readonly ownerId: string;
  readonly receivedAt: Instant;
  readonly version: number; // 0: no text yet, 1: the recognized text, n + 1: the n-th revision
  readonly title: string;
  readonly filename: string;
  readonly text: string;
}
