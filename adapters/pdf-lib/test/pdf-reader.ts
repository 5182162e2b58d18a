import { patience } from '@palimpsest/contract-tests';
import type { FoundPage } from '@palimpsest/contract-tests';
import type { BoundingBox, GreyImage } from '@palimpsest/core';
import { openPdfium } from '@palimpsest/pdfium';

const LIMITS = { maxPixels: 3_000_000, timeoutMs: 30_000 };
const POINTS_PER_INCH = 72;

/** PDFium as a reader of what was written. */
export interface PdfReader {
  readonly read: (pdf: Uint8Array) => Promise<readonly FoundPage[]>;
  readonly render: (pdf: Uint8Array, number: number) => Promise<GreyImage>;
  readonly close: () => Promise<void>;
}

/** Opens a reader of PDF files. */
export const openReader = (): PdfReader => {
  const { rasterizer, textLayerReader, close } = openPdfium({ children: 1 });
  const render: PdfReader['render'] = async (pdf, number) =>
    (await rasterizer.open(pdf, LIMITS, patience())).render(number, LIMITS, patience());
  return {
    read: async (pdf) => {
      const [images, layer] = [
        await rasterizer.open(pdf, LIMITS, patience()),
        await textLayerReader.open(pdf, LIMITS, patience()),
      ];
      const pages: FoundPage[] = [];
      for (let number = 1; number <= layer.pageCount; number++) {
        const { dpi = POINTS_PER_INCH } = await images.render(number, LIMITS, patience());
        const { width, height, words } = await layer.read(number, LIMITS, patience());
        const points = (pixels: number): number => (pixels * POINTS_PER_INCH) / dpi;
        const inPoints = ([x0, y0, x1, y1]: BoundingBox): BoundingBox => [
          points(x0),
          points(y0),
          points(x1),
          points(y1),
        ];
        pages.push({
          width: points(width),
          height: points(height),
          words: words.map(({ text, bbox }) => ({ text, bbox: inPoints(bbox) })),
        });
      }
      return pages;
    },
    render,
    close,
  };
};
