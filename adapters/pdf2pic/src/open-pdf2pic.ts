import { findProgram, pdfRasterizer, ProgramPool, removeOrphanedFolders } from '@palimpsest/child-process';
import { damagedPdf } from '@palimpsest/core';
import type { Rasterizer } from '@palimpsest/core';
import { pdf2picPrograms } from './pdf2pic-programs.ts';

/** The settings of {@link openPdf2pic}. */
export interface Pdf2picOptions {
  readonly children: number; // pages rendered at the same time, 1 or more; three processes for each page
  readonly memoryLimitBytes?: number; // resident memory of the processes of one page together; default: 1.5 GB
}

/** The rasterizer of PDF files. `close` ends its processes. */
export interface Pdf2pic {
  readonly rasterizer: Rasterizer;
  readonly close: () => Promise<void>;
}

/** The reason why there is no rasterizer, as a sentence for an operator. */
export interface Pdf2picMissing {
  readonly missing: string;
}

const DEFAULT_MEMORY_LIMIT_BYTES = 1_500_000_000; // GraphicsMagick keeps two copies of the image with 8 bytes per pixel
const SIGNATURE = '%PDF-';

/**
 * Refuses other files: Ghostscript would run them as programs, and GraphicsMagick would read them in any format that it
 * knows.
 */
const acceptingPdfOnly = (rasterizer: Rasterizer): Rasterizer => ({
  mediaTypes: rasterizer.mediaTypes,
  open: async (file, limits, signal) => {
    signal.throwIfAborted();
    if (Buffer.from(file.subarray(0, SIGNATURE.length)).toString('latin1') !== SIGNATURE) throw damagedPdf();
    return rasterizer.open(file, limits, signal);
  },
});

/**
 * Looks up GraphicsMagick and Ghostscript on PATH, which pdf2pic starts, and makes the rasterizer. It is slower than
 * PDFium and poppler and needs more memory, and Ghostscript runs the PostScript programs of a file. Therefore it is
 * used only if an operator selects it.
 */
export const openPdf2pic = async ({
  children,
  memoryLimitBytes = DEFAULT_MEMORY_LIMIT_BYTES,
}: Pdf2picOptions): Promise<Pdf2pic | Pdf2picMissing> => {
  const [gm, gs] = await Promise.all([findProgram('gm'), findProgram('gs')]);
  if (gm === undefined || gs === undefined) {
    const name = gm === undefined ? 'gm (GraphicsMagick)' : 'gs (Ghostscript)';
    return { missing: `The program ${name} is not installed, or not on PATH.` };
  }
  await removeOrphanedFolders();
  const pool = new ProgramPool(children);
  const { rasterizer, closeDocuments } = pdfRasterizer(pdf2picPrograms(pool, { gs, memoryLimitBytes }));
  return {
    rasterizer: acceptingPdfOnly(rasterizer),
    close: async () => {
      await pool.close();
      await closeDocuments();
    },
  };
};
