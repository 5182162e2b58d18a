import { describeOcrEngine } from '@palimpsest/contract-tests';
import { findProgram } from '@palimpsest/child-process';
import { openTesseractNative } from '@palimpsest/tesseract-native';

if ((await findProgram('tesseract')) === undefined) {
  describe('TesseractNativeEngine', () => {
    it.skip('is skipped: the program tesseract is not installed');
  });
} else {
  describeOcrEngine('TesseractNativeEngine', async () => {
    const opened = await openTesseractNative({ children: 2 });
    if ('missing' in opened) throw new Error(opened.missing);
    return { subject: opened.engine, close: opened.close };
  });
}
