import type { SearchableSource, TextOverlay } from '../export/searchable-pdf.ts';
import type { DecodeLimits } from '../recognition/limits.ts';
import type { Cancellation } from '../units.ts';

/** Makes PDF files of scans, with their text. */
export interface SearchablePdfWriter {
  /**
   * A PDF with the pages of the file as they look (those of a PDF themselves, a picture with its own pixels), each
   * upright, and invisible text upon them, each word within its box, so that it is found, selected and copied where it
   * stands, in any script. `overlays` has one for each page, by number. Nothing in it is run or fetched that was not in
   * the file. Calls may overlap. Throws `DOCUMENT_ENCRYPTED`, `DOCUMENT_DAMAGED`, `PAGE_TOO_LARGE`, `PAGE_TIMED_OUT`,
   * `PAGE_OUT_OF_MEMORY` or `ENGINE_CRASHED`; when `signal` aborts, its reason. `limits.timeoutMs` is for the whole call.
   */
  write(
    source: SearchableSource,
    overlays: readonly TextOverlay[],
    limits: DecodeLimits,
    signal: Cancellation,
  ): Promise<Uint8Array>;
}
