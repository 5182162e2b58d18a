import type { Cancellation, GreyImage, ImagePreparer, ImageMeasurements, PreparationStep } from '@palimpsest/core';

/**
 * Prepares toy images. It measures no skew and an even background; pixels that are not white count as ink. It applies
 * no steps: the prepared image is a copy.
 */
export class MemoryImagePreparer implements ImagePreparer {
  async assess(image: GreyImage, _timeoutMs: number, signal: Cancellation): Promise<ImageMeasurements> {
    signal.throwIfAborted();
    const ink = image.data.reduce((count, grey) => (grey < 0xff ? count + 1 : count), 0);
    return { skewDegrees: 0, backgroundRange: 0, inkShare: ink / image.data.length };
  }

  async prepare(
    image: GreyImage,
    _steps: readonly PreparationStep[],
    _timeoutMs: number,
    signal: Cancellation,
  ): Promise<GreyImage> {
    signal.throwIfAborted();
    return { ...image, data: image.data.slice() };
  }
}
