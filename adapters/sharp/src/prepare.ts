import type { GreyImage, PreparationStep } from '@palimpsest/core';
import { fromPixels, toPixels } from '@palimpsest/sharp-file';
import type { Sharp } from 'sharp';

const WHITE = '#ffffff';

const applyStep = (image: GreyImage, step: PreparationStep): Sharp => {
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

/** Applies the steps one after the other. Each has its own pipeline, because sharp reorders the operations of one pipeline. */
export const prepareImage = async (image: GreyImage, steps: readonly PreparationStep[]): Promise<GreyImage> => {
  let prepared = image;
  for (const step of steps) prepared = await toPixels(applyStep(prepared, step));
  return prepared;
};

/** Scales `image` down so that no side is longer than `maxSide`. */
export const shrinkImage = async (image: GreyImage, maxSide: number): Promise<GreyImage> =>
  Math.max(image.width, image.height) <= maxSide
    ? image
    : toPixels(fromPixels(image).resize(maxSide, maxSide, { fit: 'inside', kernel: 'linear' }));
