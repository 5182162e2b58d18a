import { describeSearchablePdfWriter } from '@palimpsest/contract-tests';
import { openPdfLib } from '@palimpsest/pdf-lib';
import type { PdfLibAdapters } from '@palimpsest/pdf-lib';
import { openReader } from './pdf-reader.ts';
import type { PdfReader } from './pdf-reader.ts';

// All tests share the children, because each start of a child costs half a second of CPU time.
describe('pdf-lib', () => {
  let adapters: PdfLibAdapters;
  let reader: PdfReader;
  before(() => {
    adapters = openPdfLib({ children: 2 });
    reader = openReader();
  });
  after(() => Promise.all([adapters.close(), reader.close()]));

  describeSearchablePdfWriter('PdfLibSearchablePdfWriter', async () => ({
    subject: { writer: adapters.searchablePdfs, read: reader.read, render: reader.render },
    close: async () => {},
  }));
});
