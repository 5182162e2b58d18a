import type { Instant } from '../units.ts';

/** What of a document can be searched. */
export interface SearchEntry {
  readonly documentId: string;
  readonly ownerId: string;
  readonly receivedAt: Instant;
  readonly version: number; // 0: it has no text yet, 1: the original text, n + 1: its n-th revision
  readonly title: string;
  readonly filename: string;
  readonly text: string;
}
