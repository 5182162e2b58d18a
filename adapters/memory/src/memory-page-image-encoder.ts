import type { Cancellation, GreyImage, PageImageEncoder } from '@palimpsest/core';
import { readToyImage, toyFile } from './toy-files.ts';

/** Encodes toy images as toy files with the text of the image. Rendering such a file gives the same image. */
export class MemoryPageImageEncoder implements PageImageEncoder {
  readonly mediaType = 'image/png';

  async encode(image: GreyImage, _timeoutMs: number, signal: Cancellation): Promise<Uint8Array> {
    signal.throwIfAborted();
    return toyFile({ pages: [{ text: readToyImage(image) }] }, this.mediaType);
  }
}
