import type { DecodeLimits } from '../recognition/limits.ts';
import type { TextLayerPage } from '../recognition/page.ts';
import type { Cancellation } from '../units.ts';

/** A document whose text layer can be read. */
export interface TextLayerDocument {
  readonly pageCount: number; // > 0
  /**
   * The text layer of page `number` (from 1) as the file contains it: not cleaned, and also if its quality is bad;
   * empty text if the page has none. Boxes are in pixels of the image that the rasterizer renders with the same limits.
   * Throws the errors of `RasterDocument.render`.
   */
  read(number: number, limits: DecodeLimits, signal: Cancellation): Promise<TextLayerPage>;
  /** Frees the resources of the document. Safe to repeat. */
  close(): Promise<void>;
}

/** Reads the text layers of PDF files without recognition. */
export interface TextLayerReader {
  readonly mediaTypes: readonly string[];
  /** Opens a whole file. Throws the errors of `Rasterizer.open`. */
  open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<TextLayerDocument>;
}
