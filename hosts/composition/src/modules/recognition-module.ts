import type { OcrEngine, Rasterizer } from '@palimpsest/core';
import { ConfigError } from '../config.ts';
import { withFallback } from '../fallback-rasterizer.ts';
import type { Opening, OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

type Recognition = Pick<Opening, 'config' | 'log' | 'onClose'>;

const notUsable = (variable: string, why: string): ConfigError =>
  new ConfigError([`${variable} is not usable: ${why}`]);

/** Opens the `tesseract` program. Returns the reason as a string if it cannot be used. */
const openNativeEngine = async ({ config, log, onClose }: Recognition): Promise<OcrEngine | string> => {
  const { openTesseractNative } = await import('@palimpsest/tesseract-native');
  const opened = await openTesseractNative({ children: config.workerConcurrency });
  if ('missing' in opened) return opened.missing;
  const { languages } = config.ocr;
  if (!(await opened.engine.supports(languages))) {
    await opened.close();
    return `The installed Tesseract lacks a language of ${languages}; it has ${opened.languages.join(', ')}.`;
  }
  onClose(() => opened.close());
  for (const note of opened.notes) log.warn(note);
  return opened.engine;
};

const openBuiltInEngine = async ({ config, onClose }: Recognition): Promise<OcrEngine> => {
  const { openTesseractWasm } = await import('@palimpsest/tesseract-wasm');
  const { engine, close } = openTesseractWasm({ children: config.workerConcurrency });
  onClose(close);
  const { languages } = config.ocr;
  if (!(await engine.supports(languages))) {
    const packages = languages.split('+').map((code) => `@tesseract.js-data/${code}`);
    throw notUsable(
      'OCR_LANGUAGES',
      `${languages} needs the packages ${packages.join(' and ')}; install them with npm.`,
    );
  }
  return engine;
};

const openEngine = async (opening: Recognition): Promise<OcrEngine> => {
  const { engine: wanted } = opening.config.ocr;
  if (wanted === 'wasm') return openBuiltInEngine(opening);
  const native = await openNativeEngine(opening);
  if (typeof native !== 'string') return native;
  if (wanted === 'native') throw notUsable('OCR_ENGINE', `${native} Install it, or set OCR_ENGINE to wasm.`);
  opening.log.debug({ reason: native }, 'using the built-in OCR engine');
  return openBuiltInEngine(opening);
};

/** Opens the installed program that renders PDF pages. Returns `undefined` if PDFium renders them. */
const openPdfProgram = async ({
  config,
  log,
  onClose,
}: Recognition): Promise<{ name: string; rasterizer: Rasterizer } | undefined> => {
  const { pdfRasterizer: wanted, workerConcurrency: children } = config;
  if (wanted === 'pdfium') return undefined;
  const opened =
    wanted === 'pdf2pic'
      ? await (await import('@palimpsest/pdf2pic')).openPdf2pic({ children })
      : await (await import('@palimpsest/poppler')).openPoppler({ children });
  if ('missing' in opened) {
    if (wanted !== 'auto')
      throw notUsable('PDF_RASTERIZER', `${opened.missing} Install it, or set PDF_RASTERIZER to pdfium.`);
    log.debug({ reason: opened.missing }, 'using the built-in rasterizer');
    return undefined;
  }
  onClose(() => opened.close());
  return { name: wanted === 'pdf2pic' ? wanted : 'poppler', rasterizer: opened.rasterizer };
};

/** Opens the decoders and the OCR engine. They run in child processes, one for each page that is recognized at once. */
export const openRecognitionModule: OpenModule = async (opening) => {
  const { config, log, onClose } = opening;
  const [{ openSharp }, { openPdfium }] = await Promise.all([
    import('@palimpsest/sharp'),
    import('@palimpsest/pdfium'),
  ]);
  const children = config.workerConcurrency;
  const sharp = openSharp({ children });
  onClose(() => sharp.close());
  const pdfium = openPdfium({ children });
  onClose(() => pdfium.close());
  const program = await openPdfProgram(opening);
  const ocrEngine = await openEngine(opening);
  // If the configuration names a program, only that program is used. Otherwise PDFium is the fallback for damaged files.
  const chosen =
    program &&
    (config.pdfRasterizer === 'auto' ? withFallback(program.rasterizer, pdfium.rasterizer) : program.rasterizer);
  log.info(
    { engine: ocrEngine.name, languages: config.ocr.languages, rasterizer: program?.name ?? 'pdfium' },
    'recognition ready',
  );
  return portsModule({
    ocrEngine,
    imagePreparer: sharp.imagePreparer,
    pageImages: sharp.pageImages,
    rasterizers: [sharp.rasterizer, chosen ?? pdfium.rasterizer],
    textLayerReaders: [pdfium.textLayerReader],
  });
};
