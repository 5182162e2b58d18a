import { describeSearchablePdfWriter } from '@palimpsest/contract-tests';
import { openPdfLib } from '@palimpsest/pdf-lib';
import { openReader } from './pdf-reader.ts';

describeSearchablePdfWriter('PdfLibSearchablePdfWriter', async () => {
  const { searchablePdfs, close } = openPdfLib({ children: 2 });
  const { close: closeReader, ...reader } = openReader();
  return {
    subject: { writer: searchablePdfs, ...reader },
    close: async () => {
      await Promise.all([close(), closeReader()]);
    },
  };
});
