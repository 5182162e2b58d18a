import type { Cancellation, DecodeLimits, TextLayerDocument, TextLayerReader } from '@palimpsest/core';
import { readToyFile, toyImage, toyPage } from './toy-files.ts';
import { toyText } from './toy-text.ts';

/** Reads the text layers of toy PDF files. */
export class MemoryTextLayerReader implements TextLayerReader {
  readonly mediaTypes = ['application/pdf'];

  async open(file: Uint8Array, _limits: DecodeLimits, signal: Cancellation): Promise<TextLayerDocument> {
    signal.throwIfAborted();
    const pages = readToyFile(file);
    return {
      pageCount: pages.length,
      read: async (number, limits, signal) => {
        signal.throwIfAborted();
        const { text = '', layer = '' } = toyPage(pages, number);
        const { width, height } = toyImage(text, limits);
        return { ...toyText(layer, 1), width, height };
      },
      close: async () => {},
    };
  }
}
