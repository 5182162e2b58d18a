import { ContainerModule } from 'inversify';
import { ConfigError } from '../config.ts';
import { T } from '../port-symbols.ts';
import type { OpenModule } from './opening.ts';

/** Decoders and the engine, each in child processes: as many at once as pages are recognised at once. */
export const openRecognitionModule: OpenModule = async ({ config, log, onClose }) => {
  const [{ openSharp }, { openPdfium }, { openTesseractWasm }] = await Promise.all([
    import('@palimpsest/sharp'),
    import('@palimpsest/pdfium'),
    import('@palimpsest/tesseract-wasm'),
  ]);
  const children = config.workerConcurrency;
  const sharp = openSharp({ children });
  onClose(() => sharp.close());
  const pdfium = openPdfium({ children });
  onClose(() => pdfium.close());
  const tesseract = openTesseractWasm({ children });
  onClose(() => tesseract.close());
  const { languages } = config.ocr;
  if (!(await tesseract.engine.supports(languages))) {
    const packages = languages.split('+').map((code) => `@tesseract.js-data/${code}`);
    throw new ConfigError([`OCR_LANGUAGES is not usable: ${languages} needs the packages ${packages.join(' and ')}; install them with npm.`]);
  }
  log.info({ engine: tesseract.engine.name, languages, rasterizer: 'pdfium' }, 'recognition ready');
  return new ContainerModule(({ bind }) => {
    bind(T.ocrEngine).toConstantValue(tesseract.engine);
    bind(T.imagePreparer).toConstantValue(sharp.imagePreparer);
    bind(T.pageImages).toConstantValue(sharp.pageImages);
    bind(T.rasterizers).toConstantValue([sharp.rasterizer, pdfium.rasterizer]);
    bind(T.textLayerReaders).toConstantValue([pdfium.textLayerReader]);
  });
};
