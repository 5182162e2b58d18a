import { describeOcrEngine } from '@palimpsest/contract-tests';
import { openTesseractWasm } from '@palimpsest/tesseract-wasm';
import type { TesseractWasm } from '@palimpsest/tesseract-wasm';

// All tests share the children, because each start of a child costs a second of CPU time.
describe('tesseract.js', () => {
  let tesseract: TesseractWasm;
  before(() => {
    tesseract = openTesseractWasm({ children: 2 });
  });
  after(() => tesseract.close());

  describeOcrEngine('TesseractWasmEngine', async () => ({ subject: tesseract.engine, close: async () => {} }));
});
