import { describeOcrEngine } from '@palimpsest/contract-tests';
import { openTesseractWasm } from '@palimpsest/tesseract-wasm';

describeOcrEngine('TesseractWasmEngine', async () => {
  const { engine, close } = openTesseractWasm({ children: 2 });
  return { subject: engine, close };
});
