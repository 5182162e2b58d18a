import type { DecodeLimits } from '../recognition/limits.ts';
import type { TextLayerPage } from '../recognition/page.ts';
import type { Cancellation } from '../units.ts';

/** A document whose text layer can be read. */
export interface TextLayerDocument {
  readonly pageCount: number; // > 0
  /**
   * What the file's own text layer says on page `number` (from 1), uncleaned and unjudged; empty text if it says
   * nothing. Boxes are in the pixels of the image that the rasteriser gives for the page under the same limits. Throws
   * as `RasterDocument.render` does.
   */
  read(number: number, limits: DecodeLimits, signal: Cancellation): Promise<TextLayerPage>;
  /** Frees what the document holds. Safe to repeat. */
  close(): Promise<void>;
}

/** Reads the text layers of files (of PDF) without recognition. */
export interface TextLayerReader {
  readonly mediaTypes: readonly string[];
  /** Opens a file, given whole. Throws as `Rasterizer.open` does. */
  open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<TextLayerDocument>;
}
