import { describeSearchablePdfWriter } from '@palimpsest/contract-tests';
import { openPdfLib } from '@palimpsest/pdf-lib';
import { openReader } from './pdf-reader.ts';

describe('pdf-lib', () => {
  const { close: closeReader, ...reader } = openReader(); // one for all tests: it is not what they test
  after(closeReader);

  describeSearchablePdfWriter('PdfLibSearchablePdfWriter', async () => {
    const { searchablePdfs, close } = openPdfLib({ children: 2 });
    return { subject: { writer: searchablePdfs, ...reader }, close };
  });
});
