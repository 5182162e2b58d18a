import type { ImageSigns, PreparationStep } from '../recognition/image-preparation.ts';
import type { GreyImage } from '../recognition/page.ts';
import type { Cancellation } from '../units.ts';

/**
 * Measures and prepares page images. Calls may overlap. Throws `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY` or
 * `ENGINE_CRASHED`; when `signal` aborts, its reason. The given image is not changed. The next call works after every
 * error.
 */
export interface ImagePreparer {
  assess(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<ImageSigns>;
  /** `image` after the steps, in their order. The given image is not changed. */
  prepare(
    image: GreyImage,
    steps: readonly PreparationStep[],
    timeoutMs: number,
    signal: Cancellation,
  ): Promise<GreyImage>;
}
