import type { Size } from './geometry.ts';
import type { PreparationStep } from './image-preparation.ts';
import type { QuarterTurn, Word } from './page.ts';
import { lettersIn } from './score.ts';

/** How an image is made ready and read. The steps are taken in the order of the fields. */
export interface Preparation {
  readonly turn: QuarterTurn; // clockwise
  readonly median: boolean; // against single specks
  readonly factor: 1 | 2 | 3; // of enlargement
  readonly degrees: number; // of rotation, clockwise, against skew
  readonly threshold: 'global' | 'adaptive';
}

/** The image as it is: most pages need nothing else. */
export const asItIs: Preparation = { turn: 0, median: false, factor: 1, degrees: 0, threshold: 'global' };

/** What an image preparer has to do for a preparation. */
export const stepsOf = ({ turn, median, factor, degrees }: Preparation): readonly PreparationStep[] => [
  ...(turn === 0 ? [] : [{ kind: 'turn', degrees: turn } as const]),
  ...(median ? [{ kind: 'median', size: 3 } as const] : []),
  ...(factor === 1 ? [] : [{ kind: 'upscale', factor } as const]),
  ...(degrees === 0 ? [] : [{ kind: 'rotate', degrees } as const]),
];

// Engines read letters best when a line is some 30 pixels high; measured on book pages at 75 to 300 dpi.
const TINY_WORD_PX = 11;
const SMALL_WORD_PX = 18;
const MIN_LETTERS = 3;

/** The middle height of the words of some letters, in pixels; `undefined` if there are none. */
export const typicalWordHeight = (words: readonly Word[]): number | undefined => {
  const heights = words
    .filter((word) => lettersIn(word) >= MIN_LETTERS)
    .map(({ bbox: [x0, y0, x1, y1] }) => Math.min(x1 - x0, y1 - y0))
    .sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)];
};

/** The enlargement that words of this height ask for, as far as the image stays within `maxPixels` and `maxSide`. */
export const enlargementFor = (
  wordHeight: number | undefined,
  { width, height }: Size,
  { maxPixels, maxSide }: { readonly maxPixels: number; readonly maxSide: number },
): 1 | 2 | 3 => {
  const fits = (factor: number): boolean =>
    width * height * factor * factor <= maxPixels && Math.max(width, height) * factor <= maxSide;
  if (wordHeight !== undefined && wordHeight < TINY_WORD_PX && fits(3)) return 3;
  return (wordHeight === undefined || wordHeight < SMALL_WORD_PX) && fits(2) ? 2 : 1;
};
