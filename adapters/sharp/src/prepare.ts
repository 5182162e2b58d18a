import type { GreyImage, PreparationStep } from '@palimpsest/core';
import type { Sharp } from 'sharp';
import { sharp } from './hardened-sharp.ts';

const WHITE = '#ffffff';

const fromPixels = ({ width, height, data }: GreyImage): Sharp =>
  sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false });

const toPixels = async (image: Sharp): Promise<GreyImage> => {
  const { data, info } = await image.toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  if (info.channels !== 1) throw new TypeError(`One channel was expected, not ${info.channels}.`);
  return { width: info.width, height: info.height, data };
};

const take = (image: GreyImage, step: PreparationStep): Sharp => {
  switch (step.kind) {
    case 'turn':
      return fromPixels(image).rotate(step.degrees);
    case 'rotate':
      return fromPixels(image).rotate(step.degrees, { background: WHITE });
    case 'upscale':
      return fromPixels(image).resize(image.width * step.factor, image.height * step.factor, { kernel: 'lanczos3' });
    case 'median':
      return fromPixels(image).median(step.size);
    case 'crop': {
      const [left, top, right, bottom] = step.box;
      return fromPixels(image).extract({ left, top, width: right - left, height: bottom - top });
    }
    case 'scale':
      return fromPixels(image).resize({ height: step.height, kernel: 'lanczos3' });
  }
};

/** `image` after the steps, one after the other: sharp puts the operations of one pipeline in an order of its own. */
export const prepareImage = async (image: GreyImage, steps: readonly PreparationStep[]): Promise<GreyImage> => {
  let prepared = image;
  for (const step of steps) prepared = await toPixels(take(prepared, step));
  return prepared;
};

/** `image` made smaller, so that no side passes `maxSide`. */
export const shrinkImage = async (image: GreyImage, maxSide: number): Promise<GreyImage> =>
  Math.max(image.width, image.height) <= maxSide
    ? image
    : toPixels(fromPixels(image).resize(maxSide, maxSide, { fit: 'inside', kernel: 'linear' }));
