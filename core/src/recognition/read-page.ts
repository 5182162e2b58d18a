import { cleanText } from '../document/text.ts';
import type { Ports } from '../ports/index.ts';
import type { RasterDocument } from '../ports/rasterizer.ts';
import type { TextLayerDocument } from '../ports/text-layer-reader.ts';
import type { Cancellation } from '../units.ts';
import type { RecognizedPage } from './page.ts';
import { recognizePage } from './recognize-page.ts';
import type { RecognitionLimits } from './recognize-page.ts';
import { isUsableTextLayer } from './text-layer.ts';

/** The engine of pages whose text the file itself carried. */
export const TEXT_LAYER_ENGINE = 'pdf-text';

/** A page of an opened file. The raster document is asked for only where the page has to be recognised. */
export interface PageSource {
  readonly number: number; // from 1
  readonly textLayer?: TextLayerDocument | undefined;
  readonly raster: () => Promise<RasterDocument>;
}

/**
 * Reads one page: from the file's own text layer if it has a usable one, else by recognition, for which it waits for a
 * free place. Throws what the ports throw for the page.
 */
export const readPage =
  (ports: Pick<Ports, 'ocrEngine' | 'imagePreparer' | 'clock' | 'pageLimit'>, limits: RecognitionLimits) =>
  async ({ number, textLayer, raster }: PageSource, signal: Cancellation): Promise<RecognizedPage> => {
    const { language, maxPixels, pageTimeoutMs } = limits;
    const decodeLimits = { maxPixels, timeoutMs: pageTimeoutMs };
    const carried = await textLayer?.read(number, decodeLimits, signal);
    if (carried !== undefined && isUsableTextLayer(carried)) {
      const words = carried.words
        .map((word) => ({ ...word, text: cleanText(word.text).trim() }))
        .filter((word) => word.text !== '');
      const { width, height, confidence } = carried;
      const text = cleanText(carried.text).trim();
      return {
        number,
        width,
        height,
        rotation: 0,
        confidence,
        text,
        words,
        source: 'text_layer',
        engine: TEXT_LAYER_ENGINE,
        language,
      };
    }
    return ports.pageLimit.run(async () => {
      signal.throwIfAborted();
      const image = await (await raster()).render(number, decodeLimits, signal);
      const { passes: _, ...reading } = await recognizePage(ports)(image, limits, signal);
      return { ...reading, number, source: 'ocr', engine: ports.ocrEngine.name, language };
    });
  };
