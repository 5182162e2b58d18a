import {
  AppError,
  type Cancellation,
  type DecodeLimits,
  type SearchablePdfWriter,
  type SearchableSource,
  type TextOverlay,
} from '@palimpsest/core';
import { readToyFile, toyFile, toyImage, toyPage } from './toy-files.ts';

/** Adds a text layer to toy files: the words of the overlay of each page, separated by spaces. */
export class MemorySearchablePdfWriter implements SearchablePdfWriter {
  async write(
    { file }: SearchableSource,
    overlays: readonly TextOverlay[],
    limits: DecodeLimits,
    signal: Cancellation,
  ): Promise<Uint8Array> {
    signal.throwIfAborted();
    const pages = readToyFile(file);
    if (overlays.some(({ number }) => number > pages.length)) {
      throw new AppError('DOCUMENT_DAMAGED', 'This toy file has fewer pages than the overlays.');
    }
    return toyFile({
      pages: pages.map((_, index) => {
        const page = toyPage(pages, index + 1);
        toyImage(page.text ?? '', limits); // throws if the page is too large
        const words = overlays.find(({ number }) => number === index + 1)?.words ?? [];
        return words.length === 0 ? page : { ...page, layer: words.map(({ text }) => text).join(' ') };
      }),
    });
  }
}
