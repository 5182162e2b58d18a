import type { GreyImage, ImagePreparer, ImageMeasurements, PreparationStep } from '@palimpsest/core';
import { openSharp } from '@palimpsest/sharp';
import { describeImagePreparer } from '../../src/index.ts';
import { describeMutants, type Mutant } from './mutant.ts';

const neverAborted = new AbortController().signal;

/** Changes each step before it is applied. */
const eachStep =
  (change: (step: PreparationStep) => PreparationStep): Mutant<ImagePreparer> =>
  (original) => ({
    prepare: (image, steps, timeoutMs, signal) => original.prepare(image, steps.map(change), timeoutMs, signal),
  });

/** Changes the measured signs. */
const assessing =
  (change: (signs: ImageMeasurements) => Partial<ImageMeasurements>): Mutant<ImagePreparer> =>
  (original) => ({
    assess: async (image, timeoutMs, signal) => {
      const signs = await original.assess(image, timeoutMs, signal);
      return { ...signs, ...change(signs) };
    },
  });

describe('mutants of sharp', () => {
  const { imagePreparer, close } = openSharp({ children: 2 });
  after(close);
  describeMutants('ImagePreparer', describeImagePreparer, () => imagePreparer, {
    'measures the skew in the wrong direction': assessing(({ skewDegrees }) => ({ skewDegrees: -skewDegrees })),
    'measures ink in percent': assessing(({ inkShare }) => ({ inkShare: inkShare * 100 })),
    'returns the signs of the previous image': (original) => {
      let first: Promise<ImageMeasurements> | undefined;
      return { assess: (...given) => (first ??= original.assess(...given)) };
    },
    'rotates anticlockwise in steps of 90 degrees': eachStep((step) =>
      step.kind === 'turn' ? { ...step, degrees: ({ 0: 0, 90: 270, 180: 180, 270: 90 } as const)[step.degrees] } : step,
    ),
    'rotates anticlockwise by any angle': eachStep((step) =>
      step.kind === 'rotate' ? { ...step, degrees: -step.degrees } : step,
    ),
    'fills with black when it rotates': (original) => ({
      prepare: async (image, steps, timeoutMs, signal) => {
        const prepared = await original.prepare(image, steps, timeoutMs, signal);
        if (!steps.some(({ kind }) => kind === 'rotate')) return prepared;
        const data = prepared.data.slice();
        data.fill(0, 0, prepared.width * 3);
        return { ...prepared, data };
      },
    }),
    'crops one pixel too many': eachStep((step) =>
      step.kind === 'crop' ? { ...step, box: [step.box[0], step.box[1], step.box[2] + 1, step.box[3]] } : step,
    ),
    'applies the steps in the reverse order': (original) => ({
      prepare: (image, steps, timeoutMs, signal) => original.prepare(image, steps.toReversed(), timeoutMs, signal),
    }),
    'writes into the given image': (original) => ({
      prepare: async (image: GreyImage, steps, timeoutMs, signal) => {
        const prepared = await original.prepare(image, steps, timeoutMs, signal);
        image.data.fill(0);
        return prepared;
      },
    }),
    'ignores the abort signal': (original) => ({
      assess: (image, timeoutMs) => original.assess(image, timeoutMs, neverAborted),
    }),
  });
});
