import type { GreyImage, ImageMeasurements } from '@palimpsest/core';
import { shrinkImage } from './prepare.ts';

const ASSESSED_SIDE = 1000; // pixels; enough to recognise lines of text

const INK_CONTRAST = 25; // grey levels; ink is darker than the mean of its surroundings by at least this
const SURROUNDINGS = 1 / 40; // share of the longer side, in each direction

const MAX_DEGREES = 10;
const COARSE_STEP = 0.5;
const FINE_STEP = 0.1;
const MIN_INK_PIXELS = 300;
const MAX_INK_PIXELS = 30_000; // sample size
const CLEAR_PEAK = 1.15; // the energy of the best angle relative to the median; below it, no skew is reported

const TILES = 16;
const MIN_TILE_SIDE = 8;
const PAPER_QUANTILE = 0.9;
const OUTER_QUANTILE = 0.05;

const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
};

/** The integral image: the sum of all pixels above and left of each point. It has one row and one column more. */
const integrate = ({ width, height, data }: GreyImage): Float64Array => {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += data[y * width + x] ?? 0;
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row;
    }
  }
  return sums;
};

interface Ink {
  readonly xs: Int32Array;
  readonly ys: Int32Array;
}

/** Finds the pixels that are clearly darker than their surroundings. So shaded paper is not ink. */
const findInk = (image: GreyImage): Ink => {
  const { width, height, data } = image;
  const sums = integrate(image);
  const reach = Math.max(4, Math.round(Math.max(width, height) * SURROUNDINGS));
  const xs: number[] = [];
  const ys: number[] = [];
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - reach) * (width + 1);
    const bottom = Math.min(height, y + reach + 1) * (width + 1);
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - reach);
      const right = Math.min(width, x + reach + 1);
      const sum =
        (sums[bottom + right] ?? 0) - (sums[bottom + left] ?? 0) - (sums[top + right] ?? 0) + (sums[top + left] ?? 0);
      const mean = (sum * (width + 1)) / ((right - left) * (bottom - top));
      if (mean - (data[y * width + x] ?? 0) > INK_CONTRAST) {
        xs.push(x);
        ys.push(y);
      }
    }
  }
  return { xs: Int32Array.from(xs), ys: Int32Array.from(ys) };
};

/** An evenly spaced sample of the ink, which bounds the time of {@link measureSkew}. */
const sampleOf = ({ xs, ys }: Ink): Ink => {
  const stride = Math.ceil(xs.length / MAX_INK_PIXELS);
  const isKept = (_: number, i: number): boolean => i % stride === 0;
  return { xs: xs.filter(isKept), ys: ys.filter(isKept) };
};

/**
 * The energy of the row profile after a shear that compensates a skew of `degrees`. It is high if the lines of text are
 * horizontal then.
 */
const profileEnergy = ({ xs, ys }: Ink, { width, height }: GreyImage, degrees: number): number => {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const margin = Math.ceil(Math.abs(slope) * width) + 1;
  const profile = new Int32Array(height + 2 * margin + 1);
  for (let i = 0; i < xs.length; i++) {
    const row = Math.round((ys[i] ?? 0) - (xs[i] ?? 0) * slope) + margin;
    profile[row] = (profile[row] ?? 0) + 1;
  }
  let energy = 0;
  for (let row = 1; row < profile.length; row++) energy += ((profile[row] ?? 0) - (profile[row - 1] ?? 0)) ** 2;
  return energy;
};

/** The clockwise skew of the text lines in degrees; 0 if there is too little ink or no clear peak. */
const measureSkew = (ink: Ink, size: GreyImage): number => {
  if (ink.xs.length < MIN_INK_PIXELS) return 0;
  const sample = sampleOf(ink);
  const angles = Array.from({ length: (2 * MAX_DEGREES) / COARSE_STEP + 1 }, (_, i) => i * COARSE_STEP - MAX_DEGREES);
  const measured = angles.map((degrees) => ({ degrees, energy: profileEnergy(sample, size, degrees) }));
  const typical = quantile(
    measured.map(({ energy }) => energy),
    0.5,
  );
  const coarse = measured.reduce((best, each) => (each.energy > best.energy ? each : best));
  if (coarse.energy < CLEAR_PEAK * typical || Math.abs(coarse.degrees) >= MAX_DEGREES) return 0;
  let best = coarse;
  for (let offset = -COARSE_STEP; offset <= COARSE_STEP; offset += FINE_STEP) {
    const degrees = coarse.degrees + offset;
    const energy = profileEnergy(sample, size, degrees);
    if (energy > best.energy) best = { degrees, energy };
  }
  return Math.round(best.degrees * 10) / 10;
};

/**
 * The difference between the brightest and the darkest tile of the paper, 0..1. The paper is the bright part of a tile.
 */
const measureBackgroundRange = ({ width, height, data }: GreyImage): number => {
  const paper: number[] = [];
  const [tileWidth, tileHeight] = [width, height].map((side) => Math.max(MIN_TILE_SIDE, Math.ceil(side / TILES)));
  if (tileWidth === undefined || tileHeight === undefined) return 0;
  for (let top = 0; top + tileHeight <= height; top += tileHeight) {
    for (let left = 0; left + tileWidth <= width; left += tileWidth) {
      const levels = new Int32Array(256);
      for (let y = top; y < top + tileHeight; y++) {
        for (let x = left; x < left + tileWidth; x++) {
          const level = data[y * width + x] ?? 0;
          levels[level] = (levels[level] ?? 0) + 1;
        }
      }
      let brighter = 0;
      const level = levels.findLastIndex(
        (count) => (brighter += count) > (1 - PAPER_QUANTILE) * tileWidth * tileHeight,
      );
      paper.push(level);
    }
  }
  return paper.length === 0 ? 0 : (quantile(paper, 1 - OUTER_QUANTILE) - quantile(paper, OUTER_QUANTILE)) / 255;
};

/** Measures whether an image needs preparation, on a copy with sides of at most 1,000 pixels. */
export const assessImage = async (image: GreyImage): Promise<ImageMeasurements> => {
  const small = await shrinkImage(image, ASSESSED_SIDE);
  const ink = findInk(small);
  return {
    skewDegrees: measureSkew(ink, small),
    backgroundRange: measureBackgroundRange(small),
    inkShare: ink.xs.length / (small.width * small.height),
  };
};
