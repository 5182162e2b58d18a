import type { GreyImage } from '../recognition/page.ts';
import type { Cancellation } from '../units.ts';

/** Encodes page images as files for people. */
export interface PageImageEncoder {
  readonly mediaType: string; // 'image/png' or 'image/webp'
  /**
   * The image as a file, lossless. The given image is not changed. Calls may overlap. Throws `PAGE_TIMED_OUT`,
   * `PAGE_OUT_OF_MEMORY` or `ENGINE_CRASHED`; when `signal` aborts, its reason. After any error the next call works.
   */
  encode(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<Uint8Array>;
}
