import type { ChildPool } from '@palimpsest/child-process';
import type { Cancellation, GreyImage, ImagePreparer, ImageMeasurements, PreparationStep } from '@palimpsest/core';
import type { ImageRequest } from './requests.ts';

/** Measures page images and prepares them for recognition, with sharp in a child process. */
export class SharpImagePreparer implements ImagePreparer {
  readonly #pool: ChildPool;

  constructor(pool: ChildPool) {
    this.#pool = pool;
  }

  assess(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<ImageMeasurements> {
    const request: ImageRequest = { kind: 'assess', image };
    return this.#pool.run<ImageMeasurements>(request, { timeoutMs, signal });
  }

  prepare(
    image: GreyImage,
    steps: readonly PreparationStep[],
    timeoutMs: number,
    signal: Cancellation,
  ): Promise<GreyImage> {
    const request: ImageRequest = { kind: 'prepare', image, steps };
    return this.#pool.run<GreyImage>(request, { timeoutMs, signal });
  }
}
