import type { SearchableSource, TextOverlay } from '../export/searchable-pdf.ts';
import type { DecodeLimits } from '../recognition/limits.ts';
import type { Cancellation } from '../units.ts';

/** Makes searchable PDF files from scans and their text. */
export interface SearchablePdfWriter {
  /**
   * A PDF with the pages of the file as they look, each upright, and with invisible text. Pages of a PDF are copied; a
   * picture keeps its own pixels. Each word lies within its box, so that readers find, select and copy it at its place,
   * in any script. A word that no reader could find there (an empty text, an invalid box) damages neither the file nor
   * other words. The text adds few bytes. `overlays` has one entry for each page, by number; a page that the file does
   * not have is `DOCUMENT_DAMAGED`. `source` and `overlays` are not changed. The PDF executes and fetches nothing that
   * the file does not. Calls may overlap. Throws `DOCUMENT_ENCRYPTED`, `DOCUMENT_DAMAGED`, `PAGE_TOO_LARGE`,
   * `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY` or `ENGINE_CRASHED`; when `signal` aborts, its reason. `limits.timeoutMs` is
   * for the whole call.
   */
  write(
    source: SearchableSource,
    overlays: readonly TextOverlay[],
    limits: DecodeLimits,
    signal: Cancellation,
  ): Promise<Uint8Array>;
}
