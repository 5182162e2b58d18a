import type { ImageMeasurements, PreparationStep } from '../recognition/image-preparation.ts';
import type { GreyImage } from '../recognition/page.ts';
import type { Cancellation } from '../units.ts';

/**
 * Measures and prepares page images. Calls may overlap. Throws `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY` or
 * `ENGINE_CRASHED`; when `signal` aborts, its reason. After any error the next call works. The given image is never
 * changed.
 */
export interface ImagePreparer {
  assess(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<ImageMeasurements>;
  /** A new image: `image` after the steps, in their order. */
  prepare(
    image: GreyImage,
    steps: readonly PreparationStep[],
    timeoutMs: number,
    signal: Cancellation,
  ): Promise<GreyImage>;
}
