import { describePdfRasterizer, describeTextLayerReader } from '@palimpsest/contract-tests';
import { openPdfium } from '@palimpsest/pdfium';

describePdfRasterizer('The rasterizer of PDFium', async () => {
  const { rasterizer, close } = openPdfium({ children: 2 });
  return { subject: rasterizer, close };
});

describeTextLayerReader('The text layer reader of PDFium', async () => {
  const { textLayerReader, close } = openPdfium({ children: 1 });
  return { subject: textLayerReader, close };
});
