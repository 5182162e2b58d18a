import type { BoundingBox, QuarterTurn } from './page.ts';

/** Measurements of a page image before it is read. */
export interface ImageMeasurements {
  readonly skewDegrees: number; // -10..10; positive: text lines slope down to the right; 0 without text lines
  readonly backgroundRange: number; // 0..1, the variation of the paper's brightness over the page
  readonly inkShare: number; // 0..1, the share of pixels that differ from the paper around them; 0 on an empty page
}

/**
 * One preparation step. Rotations are clockwise. `turn` is a quarter turn; `rotate` (any angle) enlarges the image and
 * fills it with white; `crop` keeps the part within the box, which lies within the image; `scale` makes the image
 * `height` pixels high and keeps the proportions.
 */
export type PreparationStep =
  | { readonly kind: 'turn'; readonly degrees: QuarterTurn }
  | { readonly kind: 'rotate'; readonly degrees: number }
  | { readonly kind: 'upscale'; readonly factor: 2 | 3 }
  | { readonly kind: 'median'; readonly size: 3 }
  | { readonly kind: 'crop'; readonly box: BoundingBox }
  | { readonly kind: 'scale'; readonly height: number };
