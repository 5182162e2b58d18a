import type { ChildPool } from '@palimpsest/child-process';
import type { Cancellation, DecodeLimits, SearchablePdfWriter, SearchableSource, TextOverlay } from '@palimpsest/core';
import type { WriteRequest } from './requests.ts';

/** Writes searchable PDF files with pdf-lib in a child process. */
export class PdfLibSearchablePdfWriter implements SearchablePdfWriter {
  readonly #pool: ChildPool;

  constructor(pool: ChildPool) {
    this.#pool = pool;
  }

  write(
    source: SearchableSource,
    overlays: readonly TextOverlay[],
    { maxPixels, timeoutMs }: DecodeLimits,
    signal: Cancellation,
  ): Promise<Uint8Array> {
    const request: WriteRequest = { source, overlays, maxPixels };
    return this.#pool.run<Uint8Array>(request, { timeoutMs, signal, subject: 'The file' });
  }
}
