import type { SearchableSource, TextOverlay } from '../export/searchable-pdf.ts';
import type { DecodeLimits } from '../recognition/limits.ts';
import type { Cancellation } from '../units.ts';

/** Makes searchable PDF files from scans and their text. */
export interface SearchablePdfWriter {
  /**
   * A PDF with the pages of the file, each upright and otherwise with the same appearance, and with invisible text.
   * Pages of a PDF are copied; a picture keeps its own pixels. Each word lies within its box, so that users of PDF
   * viewers can find, select and copy it there, in any script. A word with an empty text or an invalid box damages
   * neither the file nor other words. The text adds few bytes. The PDF executes and fetches nothing that the file does
   * not.
   *
   * `overlays` has one entry for each page, by number; an entry for a page that the file does not have throws
   * `DOCUMENT_DAMAGED`. `source` and `overlays` are not changed. Calls may overlap. Throws `DOCUMENT_ENCRYPTED`,
   * `DOCUMENT_DAMAGED`, `PAGE_TOO_LARGE`, `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY` or `ENGINE_CRASHED`; when `signal`
   * aborts, its reason. `limits.timeoutMs` is for the whole call.
   */
  write(
    source: SearchableSource,
    overlays: readonly TextOverlay[],
    limits: DecodeLimits,
    signal: Cancellation,
  ): Promise<Uint8Array>;
}
