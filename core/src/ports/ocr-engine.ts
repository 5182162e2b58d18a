import type { OcrRequest, Orientation } from '../recognition/ocr.ts';
import type { GreyImage, PageText } from '../recognition/page.ts';
import type { Cancellation } from '../units.ts';

/**
 * Reads images of text. What one image shows never changes how another is read. Calls may overlap. Throws
 * `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY`, `ENGINE_CRASHED`, `PAGE_TOO_LARGE`; when `signal` aborts, its reason.
 */
export interface OcrEngine {
  readonly name: string; // 'tesseract', 'tesseract.js'
  /** Whether every language of the string can be read. Never throws, whatever the string. */
  supports(language: string): Promise<boolean>;
  /** The text of the image with its words; empty if there is none. Boxes are in pixels of the image. */
  recognize(image: GreyImage, request: OcrRequest, signal: Cancellation): Promise<PageText>;
  /** Which way up the image is; `undefined` where it cannot be told (too little text). */
  detectOrientation(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<Orientation | undefined>;
}
