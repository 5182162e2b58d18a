import { findProgram, Programs, sweepPrivateFolders, trackDocuments } from '@palimpsest/child-process';
import type { Rasterizer } from '@palimpsest/core';
import { Pdf2picDocument } from './pdf2pic-document.ts';

export interface Pdf2picOptions {
  readonly children: number; // pages rendered at once, >= 1; three processes each
  readonly memoryLimitBytes?: number; // resident, of the processes for one page together; 1.5 GB
}

/** The rasteriser of PDF and what ends its processes. */
export interface Pdf2pic {
  readonly rasterizer: Rasterizer;
  readonly close: () => Promise<void>;
}

/** Why there is no rasteriser here, in a sentence for an operator. */
export interface Pdf2picMissing {
  readonly missing: string;
}

const DEFAULT_MEMORY_LIMIT_BYTES = 1_500_000_000; // GraphicsMagick takes eight bytes a pixel, twice

/**
 * Looks for GraphicsMagick and Ghostscript on PATH, which pdf2pic starts. Slower than PDFium and poppler, with more memory,
 * and Ghostscript runs programs that a file brings: to be used only by whoever asks for it.
 */
export const openPdf2pic = async ({
  children,
  memoryLimitBytes = DEFAULT_MEMORY_LIMIT_BYTES,
}: Pdf2picOptions): Promise<Pdf2pic | Pdf2picMissing> => {
  const [gm, gs] = await Promise.all([findProgram('gm'), findProgram('gs')]);
  if (gm === undefined || gs === undefined) {
    return {
      missing: `The program ${gm === undefined ? 'gm (GraphicsMagick)' : 'gs (Ghostscript)'} is not installed, or not on PATH.`,
    };
  }
  await sweepPrivateFolders();
  const programs = new Programs(children);
  const { rasterizer, closeDocuments } = trackDocuments(['application/pdf'], (...args) =>
    Pdf2picDocument.open(programs, { gs, memoryLimitBytes }, ...args),
  );
  return {
    rasterizer,
    close: async () => {
      await programs.close();
      await closeDocuments();
    },
  };
};
