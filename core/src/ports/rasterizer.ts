import type { DecodeLimits } from '../recognition/limits.ts';
import type { GreyImage } from '../recognition/page.ts';
import type { Cancellation } from '../units.ts';

/** A document whose pages can be rendered. Calls may overlap; they may be served one after the other. */
export interface RasterDocument {
  readonly pageCount: number; // > 0
  /**
   * Page `number` (from 1), flattened on white, grey, in the orientation that the file asks for (EXIF, /Rotate), at 300
   * dots per inch or less, so that it keeps within `maxPixels`. Throws `PAGE_TOO_LARGE`, `DOCUMENT_DAMAGED`,
   * `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY` or `ENGINE_CRASHED`; never gives an empty or a 1 x 1 image instead.
   */
  render(number: number, limits: DecodeLimits, signal: Cancellation): Promise<GreyImage & { readonly dpi?: number }>;
  /** Frees what the document holds. Safe to repeat. */
  close(): Promise<void>;
}

/** Opens files of the media types that it serves, given whole, and renders their pages. */
export interface Rasterizer {
  readonly mediaTypes: readonly string[];
  /**
   * Opens a file. Throws `DOCUMENT_ENCRYPTED` (a password is needed), `DOCUMENT_DAMAGED`, `DOCUMENT_WITHOUT_PAGES`,
   * `PAGE_TOO_LARGE`, `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY` or `ENGINE_CRASHED`. What the file asks for beyond its own
   * bytes (links, scripts, other files) is never fetched or run.
   */
  open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<RasterDocument>;
}
