import type { BoundingBox, QuarterTurn } from './page.ts';

/** What can be seen on a page image before it is read. */
export interface ImageSigns {
  readonly skewDegrees: number; // how far lines of text fall to the right (positive) or rise, -10..10; 0 if there are none
  readonly backgroundRange: number; // 0..1, how much the brightness of the paper differs over the page
  readonly inkShare: number; // 0..1, the part of the page that differs from the paper around it; 0 on an empty page
}

/**
 * One step of preparation. Turning is clockwise; `rotate` (any angle) widens the image and fills with white; `crop` keeps
 * what is within the box, which lies within the image; `scale` makes the image `height` pixels high, in proportion.
 */
export type PreparationStep =
  | { readonly kind: 'turn'; readonly degrees: QuarterTurn }
  | { readonly kind: 'rotate'; readonly degrees: number }
  | { readonly kind: 'upscale'; readonly factor: 2 | 3 }
  | { readonly kind: 'median'; readonly size: 3 }
  | { readonly kind: 'crop'; readonly box: BoundingBox }
  | { readonly kind: 'scale'; readonly height: number };
