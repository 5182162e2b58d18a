import { findProgram } from '@palimpsest/child-process';
import { describePdfRasterizer } from '@palimpsest/contract-tests';
import { openPdf2pic } from '@palimpsest/pdf2pic';

if ((await findProgram('gm')) === undefined || (await findProgram('gs')) === undefined) {
  describe('The rasterizer of pdf2pic', () => {
    it.skip('is skipped: GraphicsMagick or Ghostscript is not installed');
  });
} else {
  describePdfRasterizer('The rasterizer of pdf2pic', async () => {
    const opened = await openPdf2pic({ children: 2 });
    if ('missing' in opened) throw new Error(opened.missing);
    return { subject: opened.rasterizer, close: opened.close };
  });
}
