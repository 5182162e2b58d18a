import type { DecodeLimits } from '../recognition/limits.ts';
import type { GreyImage } from '../recognition/page.ts';
import type { Cancellation } from '../units.ts';

/** A document whose pages can be rendered. Calls may overlap; the adapter may execute them one after the other. */
export interface RasterDocument {
  readonly pageCount: number; // > 0
  /**
   * Renders page `number` (from 1) in grey on white, in the orientation that the file specifies (EXIF, /Rotate), at 300
   * dots per inch, or at the resolution that keeps it within `maxPixels`. Throws `PAGE_TOO_LARGE`, `DOCUMENT_DAMAGED`,
   * `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY` or `ENGINE_CRASHED`, and when `signal` aborts, its reason; never returns an
   * empty or a 1 x 1 image instead. After any error the next call works.
   */
  render(number: number, limits: DecodeLimits, signal: Cancellation): Promise<GreyImage & { readonly dpi?: number }>;
  /** Frees the resources of the document. Safe to repeat. */
  close(): Promise<void>;
}

/** Opens whole files of the supported media types and renders their pages. */
export interface Rasterizer {
  readonly mediaTypes: readonly string[];
  /**
   * Opens a file; its bytes are not changed. Throws `DOCUMENT_ENCRYPTED` (it needs a password), `DOCUMENT_DAMAGED`
   * (also an empty file), `DOCUMENT_WITHOUT_PAGES`, `PAGE_TOO_LARGE`, `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY` or
   * `ENGINE_CRASHED`; when `signal` aborts, its reason. It never follows links or references to other files, and never
   * executes scripts.
   */
  open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<RasterDocument>;
}
