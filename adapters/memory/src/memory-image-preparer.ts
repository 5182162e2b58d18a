import type { Cancellation, GreyImage, ImagePreparer, ImageSigns, PreparationStep } from '@palimpsest/core';

/** Finds toy images straight and evenly lit, inked where they are not white, and gives copies of them whatever the steps: a toy text has no way up. */
export class MemoryImagePreparer implements ImagePreparer {
  async assess(image: GreyImage, _timeoutMs: number, signal: Cancellation): Promise<ImageSigns> {
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
