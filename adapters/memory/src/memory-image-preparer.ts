import type { Cancellation, GreyImage, ImagePreparer, ImageMeasurements, PreparationStep } from '@palimpsest/core';

/**
 * Prepares toy images: finds them straight and evenly lit, with ink wherever they are not white, and returns them
 * unchanged, whatever the steps are.
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
