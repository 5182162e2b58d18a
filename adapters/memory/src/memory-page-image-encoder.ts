import type { Cancellation, GreyImage, PageImageEncoder } from '@palimpsest/core';
import { readToyImage, toyFile } from './toy-files.ts';

/** Makes toy files of toy images: the text that they show, of which the same image is made again. */
export class MemoryPageImageEncoder implements PageImageEncoder {
  readonly mediaType = 'image/png';

  async encode(image: GreyImage, _timeoutMs: number, signal: Cancellation): Promise<Uint8Array> {
    signal.throwIfAborted();
    return toyFile({ pages: [{ text: readToyImage(image) }] }, this.mediaType);
  }
}
