import { neverAborted } from '@palimpsest/contract-tests/internal';
import type { FoundPage } from '@palimpsest/contract-tests';
import type { BoundingBox, GreyImage } from '@palimpsest/core';
import { openPdfium } from '@palimpsest/pdfium';
import { loadPdfium, PdfiumFile } from '@palimpsest/pdfium-file';
import type { PageSummary, Pdfium } from '@palimpsest/pdfium-file';

const LIMITS = { maxPixels: 1_000_000, timeoutMs: 30_000 };

/** Reads and renders the written files with PDFium, which is independent of pdf-lib. */
export interface PdfReader {
  readonly read: (pdf: Uint8Array) => Promise<readonly FoundPage[]>;
  readonly render: (pdf: Uint8Array, number: number) => Promise<GreyImage>;
  readonly close: () => Promise<void>;
}

let loaded: Promise<Pdfium> | undefined;

const summariesOf = async (pdf: Uint8Array): Promise<readonly PageSummary[]> => {
  const file = new PdfiumFile(await (loaded ??= loadPdfium()), pdf);
  const summaries = file.summarizePages();
  file.close();
  return summaries;
};

/** Opens a reader of PDF files. */
export const openReader = (): PdfReader => {
  const { rasterizer, textLayerReader, close } = openPdfium({ children: 1 });
  return {
    read: async (pdf) => {
      const layer = await textLayerReader.open(pdf, LIMITS, neverAborted());
      const pages: FoundPage[] = [];
      for (const [i, { width, height }] of (await summariesOf(pdf)).entries()) {
        const page = await layer.read(i + 1, LIMITS, neverAborted());
        const [across, down] = [width / page.width, height / page.height];
        const inPoints = ([x0, y0, x1, y1]: BoundingBox): BoundingBox => [
          x0 * across,
          y0 * down,
          x1 * across,
          y1 * down,
        ];
        pages.push({ width, height, words: page.words.map(({ text, bbox }) => ({ text, bbox: inPoints(bbox) })) });
      }
      return pages;
    },
    render: async (pdf, number) =>
      (await rasterizer.open(pdf, LIMITS, neverAborted())).render(number, LIMITS, neverAborted()),
    close,
  };
};
