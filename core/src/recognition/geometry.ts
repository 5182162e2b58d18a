import type { BoundingBox, QuarterTurn, Word } from './page.ts';

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

type Point = readonly [x: number, y: number];

/** The size of an image of `size` after a clockwise quarter turn. */
export const turnedSize = ({ width, height }: Size, turn: QuarterTurn): Size =>
  turn === 90 || turn === 270 ? { width: height, height: width } : { width, height };

/** The position of a box on an image of `size` after a clockwise quarter turn of the image. */
export const turnBox = ([x0, y0, x1, y1]: BoundingBox, { width, height }: Size, turn: QuarterTurn): BoundingBox => {
  switch (turn) {
    case 0:
      return [x0, y0, x1, y1];
    case 90:
      return [height - y1, x0, height - y0, x1];
    case 180:
      return [width - x1, height - y1, width - x0, height - y0];
    case 270:
      return [y0, width - x1, y1, width - x0];
  }
};

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/**
 * Maps a box on a prepared image back to the original image. The image was enlarged `factor` times, then rotated
 * clockwise by `degrees` about its centre and widened to the size `prepared`. The result encloses the same content on
 * an image of size `original`: whole pixels, at least one in each direction, within `original`.
 */
export const boxBeforePreparation = (
  [x0, y0, x1, y1]: BoundingBox,
  { factor, degrees }: { readonly factor: number; readonly degrees: number },
  prepared: Size,
  original: Size,
): BoundingBox => {
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const before = ([x, y]: Point): Point => {
    const [fromCentreX, fromCentreY] = [x - prepared.width / 2, y - prepared.height / 2];
    return [
      (cos * fromCentreX + sin * fromCentreY) / factor + original.width / 2,
      (cos * fromCentreY - sin * fromCentreX) / factor + original.height / 2,
    ];
  };
  const corners = (
    [
      [x0, y0],
      [x1, y0],
      [x0, y1],
      [x1, y1],
    ] satisfies Point[]
  ).map(before);
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const left = clamp(Math.round(Math.min(...xs)), 0, original.width - 1);
  const top = clamp(Math.round(Math.min(...ys)), 0, original.height - 1);
  const right = clamp(Math.round(Math.max(...xs)), left + 1, original.width);
  const bottom = clamp(Math.round(Math.max(...ys)), top + 1, original.height);
  return [left, top, right, bottom];
};

const MIN_STEPS = 3;
const CLEAR_MAJORITY = 0.7;

/**
 * The clockwise rotation that makes a page upright if an engine read vertical lines on it: 270 for lines that run down,
 * 90 for lines that run up, 0 for horizontal lines or too few words. The direction of a line is that from each word to
 * the next one.
 */
export const turnOfSidewaysLines = (words: readonly Word[]): 0 | 90 | 270 => {
  const steps = { across: 0, down: 0, up: 0 };
  words.slice(1).forEach((word, i) => {
    const previous = words[i];
    if (previous === undefined || previous.line !== word.line) return;
    const rightwards = (word.bbox[0] + word.bbox[2] - previous.bbox[0] - previous.bbox[2]) / 2;
    const downwards = (word.bbox[1] + word.bbox[3] - previous.bbox[1] - previous.bbox[3]) / 2;
    if (Math.abs(rightwards) >= Math.abs(downwards)) steps.across++;
    else if (downwards > 0) steps.down++;
    else steps.up++;
  });
  const needed = Math.max(MIN_STEPS, CLEAR_MAJORITY * (steps.across + steps.down + steps.up));
  if (steps.down >= needed) return 270;
  return steps.up >= needed ? 90 : 0;
};
