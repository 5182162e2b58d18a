import { ChildPool, siblingModule } from '@palimpsest/child-process';
import type { Cancellation, DecodeLimits, Rasterizer, TextLayerReader } from '@palimpsest/core';
import { PdfiumDocument } from './pdfium-document.ts';

/** The settings of {@link openPdfium}. */
export interface PdfiumOptions {
  readonly children: number; // child processes at the same time, 1 or more
  readonly memoryLimitBytes?: number; // resident memory above which a child is killed; default: 700 MB
}

/** Renders pages of PDF files and reads their text layers with PDFium in child processes. `close` ends the children. */
export interface PdfiumAdapters {
  readonly rasterizer: Rasterizer;
  readonly textLayerReader: TextLayerReader;
  readonly close: () => Promise<void>;
}

const MAX_USES = 200; // pages that a child reads before it is replaced, because PDFium keeps fonts in memory

/** Makes the PDF adapters. They share the children, which start with the first call. */
export const openPdfium = ({ children, memoryLimitBytes }: PdfiumOptions): PdfiumAdapters => {
  const pool = new ChildPool({
    script: siblingModule('pdfium-child', import.meta.url),
    size: children,
    maxUses: MAX_USES,
    ...(memoryLimitBytes !== undefined && { memoryLimitBytes }),
  });
  const mediaTypes = ['application/pdf'];
  const open = (file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<PdfiumDocument> =>
    PdfiumDocument.open(pool, file, limits, signal);
  return { rasterizer: { mediaTypes, open }, textLayerReader: { mediaTypes, open }, close: () => pool.close() };
};
