import type { SearchableSource, TextOverlay } from '@palimpsest/core';

/** What a child is asked: a file made searchable. It answers with the bytes of a PDF. */
export interface WriteRequest {
  readonly source: SearchableSource;
  readonly overlays: readonly TextOverlay[];
  readonly maxPixels: number;
}
