import { ChildPool, siblingModule } from '@palimpsest/child-process';
import type { SearchablePdfWriter } from '@palimpsest/core';
import { PdfLibSearchablePdfWriter } from './pdf-lib-searchable-pdf-writer.ts';

/** The settings of {@link openPdfLib}. */
export interface PdfLibOptions {
  readonly children: number; // child processes at the same time, 1 or more
  readonly memoryLimitBytes?: number; // resident memory above which a child is killed; default: 700 MB
}

/** The writer of searchable PDF files, which runs pdf-lib in child processes. `close` ends the children. */
export interface PdfLibAdapters {
  readonly searchablePdfs: SearchablePdfWriter;
  readonly close: () => Promise<void>;
}

/** Makes the adapter. Its children start with the first call. */
export const openPdfLib = ({ children, memoryLimitBytes }: PdfLibOptions): PdfLibAdapters => {
  const pool = new ChildPool({
    script: siblingModule('pdf-lib-child', import.meta.url),
    size: children,
    addons: true,
    ...(memoryLimitBytes !== undefined && { memoryLimitBytes }),
  });
  return { searchablePdfs: new PdfLibSearchablePdfWriter(pool), close: () => pool.close() };
};
