import { cleanText } from '../../document/text.ts';
import type { Ports } from '../../ports/index.ts';
import type { RasterDocument } from '../../ports/rasterizer.ts';
import type { TextLayerDocument } from '../../ports/text-layer-reader.ts';
import type { RecognitionLimits } from '../../recognition/limits.ts';
import type { RecognizedPage, TextLayerPage } from '../../recognition/page.ts';
import { isUsableTextLayer } from '../../recognition/text-layer.ts';
import type { Cancellation } from '../../units.ts';
import { recognizePage } from './recognize-page.ts';

/** The engine name of pages that were read from the file's own text layer. */
export const TEXT_LAYER_ENGINE = 'pdf-text';

/** A page of an open file. The raster document is requested only if the page has to be recognized. */
export interface PageSource {
  readonly number: number; // from 1
  readonly textLayer?: TextLayerDocument | undefined;
  readonly raster: () => Promise<RasterDocument>;
}

/** Runs a task, now or later, and returns its result. */
export type RunTask = <T>(task: () => Promise<T>) => Promise<T>;

const fromTextLayer = (page: TextLayerPage, number: number, language: string): RecognizedPage => {
  const { width, height, confidence } = page;
  const words = page.words
    .map((word) => ({ ...word, text: cleanText(word.text).trim() }))
    .filter((word) => word.text !== '');
  const text = cleanText(page.text).trim();
  const source = 'text_layer';
  return { number, width, height, rotation: 0, confidence, text, words, source, engine: TEXT_LAYER_ENGINE, language };
};

/**
 * Reads one page: from the file's own text layer if it is usable, otherwise by recognition. `inSlot` runs the
 * recognition, so that the caller can limit how many pages are recognized at once. Throws the errors of the ports.
 */
export const readPage =
  (
    ports: Pick<Ports, 'ocrEngine' | 'imagePreparer' | 'clock'>,
    limits: RecognitionLimits,
    inSlot: RunTask = (task) => task(),
  ) =>
  async ({ number, textLayer, raster }: PageSource, signal: Cancellation): Promise<RecognizedPage> => {
    const { language, maxPixels, pageTimeoutMs } = limits;
    const decodeLimits = { maxPixels, timeoutMs: pageTimeoutMs };
    const layerPage = await textLayer?.read(number, decodeLimits, signal);
    if (layerPage !== undefined && isUsableTextLayer(layerPage)) return fromTextLayer(layerPage, number, language);
    return inSlot(async () => {
      signal.throwIfAborted();
      const image = await (await raster()).render(number, decodeLimits, signal);
      const { passes: _, ...reading } = await recognizePage(ports)(image, limits, signal);
      return { ...reading, number, source: 'ocr', engine: ports.ocrEngine.name, language };
    });
  };
