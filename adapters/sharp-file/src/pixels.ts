import type { GreyImage } from '@palimpsest/core';
import type { Sharp } from 'sharp';
import { sharp } from './hardened-sharp.ts';

const BLANK_RANGE = 2; // grey levels

/** Makes a sharp image from grey pixels. */
export const fromPixels = ({ width, height, data }: GreyImage): Sharp =>
  sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false });

/** Returns the grey pixels of a sharp image. */
export const toPixels = async (image: Sharp): Promise<GreyImage> => {
  const { data, info } = await image.toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  if (info.channels !== 1) throw new TypeError(`sharp returned ${info.channels} channels instead of one.`);
  return { width: info.width, height: info.height, data };
};

/** Whether all pixels have nearly the same grey level. */
export const isBlank = ({ data }: GreyImage): boolean => {
  let [low, high] = [255, 0];
  for (const value of data) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low < BLANK_RANGE;
};
