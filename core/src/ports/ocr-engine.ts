import type { OcrRequest, Orientation } from '../recognition/ocr.ts';
import type { GreyImage, PageText } from '../recognition/page.ts';
import type { Cancellation } from '../units.ts';

/**
 * Recognizes text in images. It does not change the images. The result for an image does not depend on other images.
 * Calls may overlap. Throws `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY`, `ENGINE_CRASHED`, `PAGE_TOO_LARGE` (a side is
 * longer than 32,767 pixels); when `signal` aborts, its reason. After any error the next call works.
 */
export interface OcrEngine {
  readonly name: string; // 'tesseract', 'tesseract.js'
  /** Whether the engine can read every language of the string. Never throws, for any string. */
  supports(language: string): Promise<boolean>;
  /** The text of the image with its words; empty if the image shows no text. Boxes are in pixels of the image. */
  recognize(image: GreyImage, request: OcrRequest, signal: Cancellation): Promise<PageText>;
  /** The orientation of the image; `undefined` if the image has too little text. */
  detectOrientation(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<Orientation | undefined>;
}
