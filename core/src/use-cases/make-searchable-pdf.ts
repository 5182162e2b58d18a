import type { CompletedDocument } from '../document/document.ts';
import type { Ports } from '../ports/index.ts';
import type { TextOverlay } from '../ports/searchable-pdf-writer.ts';
import type { Cancellation } from '../units.ts';
import { viewOriginal, type ViewSettings } from './render-page.ts';

/**
 * The original pages with what was read on them as invisible text; pages that carried their text themselves keep it.
 * Throws `FILE_NOT_STORED`, `PAGE_NOT_RENDERABLE` or `RATE_LIMITED`.
 */
export const makeSearchablePdf =
  (
    ports: Pick<Ports, 'documents' | 'pages' | 'blobs' | 'checksums' | 'viewLimit' | 'searchablePdfs'>,
    { maxPixels, documentTimeoutMs }: ViewSettings,
  ) =>
  (document: CompletedDocument, signal: Cancellation): Promise<Uint8Array> =>
    viewOriginal(ports)(document, signal, async (file) => {
      const overlays: TextOverlay[] = [];
      for (const { number, width, height, rotation, source } of await ports.pages.list(document.id, document.run)) {
        const words = source === 'ocr' ? await ports.pages.words(document.id, document.run, number) : [];
        overlays.push({ number, width, height, rotation, words: words ?? [] });
      }
      const limits = { maxPixels, timeoutMs: documentTimeoutMs };
      return ports.searchablePdfs.write({ file, mediaType: document.mediaType }, overlays, limits, signal);
    });
