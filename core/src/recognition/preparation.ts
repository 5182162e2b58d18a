import type { Size } from './geometry.ts';
import type { PreparationStep } from './image-preparation.ts';
import type { QuarterTurn, Word } from './page.ts';
import { lettersIn } from './score.ts';

/** How an image is prepared and read. The steps are applied in the order of the fields. */
export interface Preparation {
  readonly turn: QuarterTurn; // clockwise
  readonly median: boolean; // removes single specks
  readonly factor: 1 | 2 | 3; // enlargement
  readonly degrees: number; // clockwise rotation against skew
  readonly threshold: 'global' | 'adaptive';
}

/** No preparation: enough for most pages. */
export const noPreparation: Preparation = { turn: 0, median: false, factor: 1, degrees: 0, threshold: 'global' };

/** The steps of an image preparer for a preparation. */
export const stepsOf = ({ turn, median, factor, degrees }: Preparation): readonly PreparationStep[] => [
  ...(turn === 0 ? [] : [{ kind: 'turn', degrees: turn } as const]),
  ...(median ? [{ kind: 'median', size: 3 } as const] : []),
  ...(factor === 1 ? [] : [{ kind: 'upscale', factor } as const]),
  ...(degrees === 0 ? [] : [{ kind: 'rotate', degrees } as const]),
];

// Engines read lines of about 30 pixels best; measured on book pages at 75 to 300 dpi.
const TINY_WORD_PX = 11;
const SMALL_WORD_PX = 18;
const MIN_LETTERS = 3;

/** The median height in pixels of words with several letters; `undefined` without such words. */
export const typicalWordHeight = (words: readonly Word[]): number | undefined => {
  const heights = words
    .filter((word) => lettersIn(word) >= MIN_LETTERS)
    .map(({ bbox: [x0, y0, x1, y1] }) => Math.min(x1 - x0, y1 - y0))
    .sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)];
};

/** The enlargement for words of this height, as long as the image stays within `maxPixels` and `maxSide`. */
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
