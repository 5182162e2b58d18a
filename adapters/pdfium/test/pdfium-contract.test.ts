import { describeRasterizer, describeTextLayerReader } from '@palimpsest/contract-tests';
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

  describeRasterizer('The rasterizer', async () => ({ subject: adapters.rasterizer, close }), ['application/pdf']);

  describeTextLayerReader('The text layer reader', async () => ({ subject: adapters.textLayerReader, close }));
});
