import { findProgram } from '@palimpsest/child-process';
import { describePdfRasterizer } from '@palimpsest/contract-tests';
import { openPoppler } from '@palimpsest/poppler';

if ((await findProgram('pdftoppm')) === undefined) {
  describe('The rasterizer of poppler', () => {
    it.skip('is skipped: the program pdftoppm is not installed');
  });
} else {
  describePdfRasterizer('The rasterizer of poppler', async () => {
    const opened = await openPoppler({ children: 2 });
    if ('missing' in opened) throw new Error(opened.missing);
    return { subject: opened.rasterizer, close: opened.close };
  });
}
