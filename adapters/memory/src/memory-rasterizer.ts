import {
  mediaTypes,
  type Cancellation,
  type DecodeLimits,
  type RasterDocument,
  type Rasterizer,
} from '@palimpsest/core';
import { readToyFile, toyImage, toyPage } from './toy-files.ts';

/** Renders the pages of toy files as toy images. */
export class MemoryRasterizer implements Rasterizer {
  readonly mediaTypes = mediaTypes;

  async open(file: Uint8Array, _limits: DecodeLimits, signal: Cancellation): Promise<RasterDocument> {
    signal.throwIfAborted();
    const pages = readToyFile(file);
    return {
      pageCount: pages.length,
      render: async (number, limits, signal) => {
        signal.throwIfAborted();
        return { ...toyImage(toyPage(pages, number).text ?? '', limits), dpi: 300 };
      },
      close: async () => {},
    };
  }
}
