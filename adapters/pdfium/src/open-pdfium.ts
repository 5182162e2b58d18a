import { ChildPool, siblingModule } from '@palimpsest/child-process';
import type { Rasterizer, TextLayerReader } from '@palimpsest/core';
import { PdfiumDocument } from './pdfium-document.ts';

export interface PdfiumOptions {
  readonly children: number; // child processes at once, >= 1
  readonly memoryLimitBytes?: number; // resident memory at which a child is killed; 700 MB
}

/** PDFium in child processes: pages of PDF files rendered, and their text layers read. */
export interface PdfiumAdapters {
  readonly rasterizer: Rasterizer;
  readonly textLayerReader: TextLayerReader;
  readonly close: () => Promise<void>;
}

const MAX_USES = 200; // of a child, in pages; PDFium keeps fonts and some memory

/** Makes the PDF adapters. Children start at the first need and are shared by both. */
export const openPdfium = ({ children, memoryLimitBytes }: PdfiumOptions): PdfiumAdapters => {
  const pool = new ChildPool({
    script: siblingModule('pdfium-child', import.meta.url),
    size: children,
    maxUses: MAX_USES,
    ...(memoryLimitBytes !== undefined && { memoryLimitBytes }),
  });
  const mediaTypes = ['application/pdf'];
  return {
    rasterizer: { mediaTypes, open: (file, limits, signal) => PdfiumDocument.open(pool, file, limits, signal) },
    textLayerReader: { mediaTypes, open: (file, limits, signal) => PdfiumDocument.open(pool, file, limits, signal) },
    close: () => pool.close(),
  };
};
