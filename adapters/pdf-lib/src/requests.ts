import type { SearchableSource, TextOverlay } from '@palimpsest/core';

/** Asks a child to make a file searchable. The answer is the bytes of a PDF. */
export interface WriteRequest {
  readonly source: SearchableSource;
  readonly overlays: readonly TextOverlay[];
  readonly maxPixels: number;
}
