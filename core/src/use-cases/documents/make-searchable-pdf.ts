import type { CompletedDocument } from '../../document/document.ts';
import type { ViewSettings } from '../../document/view-settings.ts';
import type { Actor } from '../../document/visibility.ts';
import { exportFilename } from '../../export/export-text.ts';
import type { TextOverlay } from '../../export/searchable-pdf.ts';
import type { Ports } from '../../ports/index.ts';
import type { Cancellation } from '../../units.ts';
import { findCompleted } from './find-document.ts';
import { viewOriginal } from './view-original.ts';

/** A searchable PDF of a document, not written yet. */
export interface SearchablePdf {
  readonly filename: string;
  readonly version: string; // equal versions mean equal files
  /** Writes the file. Throws `FILE_NOT_STORED`, `PAGE_NOT_RENDERABLE` or `RATE_LIMITED`. */
  write(signal: Cancellation): Promise<Uint8Array>;
}

/**
 * A PDF of the original pages with the recognized words as invisible text. Pages with a text layer of their own keep
 * it. Throws `DOCUMENT_NOT_FOUND` or `DOCUMENT_NOT_COMPLETED`.
 */
export const makeSearchablePdf = (
  ports: Pick<Ports, 'documents' | 'pages' | 'blobs' | 'checksums' | 'searchablePdfs'>,
  settings: ViewSettings,
) => {
  const { pages, searchablePdfs } = ports;
  const limits = { maxPixels: settings.maxPixels, timeoutMs: settings.documentTimeoutMs };

  const overlaysOf = async ({ id, run }: CompletedDocument): Promise<readonly TextOverlay[]> => {
    const overlays: TextOverlay[] = [];
    for (const { number, width, height, rotation, source } of await pages.list(id, run)) {
      const words = source === 'ocr' ? await pages.words(id, run, number) : [];
      overlays.push({ number, width, height, rotation, words: words ?? [] });
    }
    return overlays;
  };

  return async (actor: Actor, id: string): Promise<SearchablePdf> => {
    const document = await findCompleted(ports)(actor, id);
    const { sha256, version, title, mediaType } = document;
    return {
      filename: exportFilename(title, 'pdf'),
      version: `${sha256}-${version}`,
      write: (signal) =>
        viewOriginal(ports, settings)(document, signal, async (file) =>
          searchablePdfs.write({ file, mediaType }, await overlaysOf(document), limits, signal),
        ),
    };
  };
};
