import { ChildPool, siblingModule } from '@palimpsest/child-process';
import type { SearchablePdfWriter } from '@palimpsest/core';
import { PdfLibSearchablePdfWriter } from './pdf-lib-searchable-pdf-writer.ts';

export interface PdfLibOptions {
  readonly children: number; // child processes at once, >= 1
  readonly memoryLimitBytes?: number; // resident memory at which a child is killed; 700 MB
}

/** pdf-lib in child processes: scans as searchable PDF files. */
export interface PdfLibAdapters {
  readonly searchablePdfs: SearchablePdfWriter;
  readonly close: () => Promise<void>;
}

/** Makes the adapter. Children start at the first need. */
export const openPdfLib = ({ children, memoryLimitBytes }: PdfLibOptions): PdfLibAdapters => {
  const pool = new ChildPool({
    script: siblingModule('pdf-lib-child', import.meta.url),
    size: children,
    addons: true,
    ...(memoryLimitBytes !== undefined && { memoryLimitBytes }),
  });
  return { searchablePdfs: new PdfLibSearchablePdfWriter(pool), close: () => pool.close() };
};
