import type { QuarterTurn } from './page.ts';

/** How an engine reads an image. */
export interface OcrRequest {
  readonly language: string; // Tesseract language string: three-letter codes joined by +
  readonly threshold: 'global' | 'adaptive'; // one threshold for the page, or a local one for uneven light
  readonly timeoutMs: number;
}

/** The orientation of a page: `degrees` is the clockwise rotation that makes it upright. */
export interface Orientation {
  readonly degrees: QuarterTurn;
  readonly confidence: number; // Tesseract's orientation confidence: 0 is a guess, 1.5 and more is usable
}
