import type { QuarterTurn } from './page.ts';

/** How an image is to be read. */
export interface OcrRequest {
  readonly language: string; // Tesseract language string: three-letter codes joined by +
  readonly threshold: 'global' | 'adaptive'; // one over the page, or one for each place, for uneven light
  readonly timeoutMs: number;
}

/** Which way up a page is: `degrees` is the clockwise turn that sets it upright. */
export interface Orientation {
  readonly degrees: QuarterTurn;
  readonly confidence: number; // Tesseract's orientation confidence: 0 guess, 1.5 and more usable
}
