import { describePdfRasterizer, describeTextLayerReader } from '@palimpsest/contract-tests';
import { openPdfium } from '@palimpsest/pdfium';
import type { PdfiumAdapters } from '@palimpsest/pdfium';

// All tests share the children, because each start of a child costs half a second of CPU time.
describe('PDFium', () => {
  let adapters: PdfiumAdapters;
  before(() => {
    adapters = openPdfium({ children: 2 });
  });
  after(() => adapters.close());
  const close = async (): Promise<void> => {};

  describePdfRasterizer('The rasterizer of PDFium', async () => ({ subject: adapters.rasterizer, close }));

  describeTextLayerReader('The text layer reader of PDFium', async () => ({
    subject: adapters.textLayerReader,
    close,
  }));
});
