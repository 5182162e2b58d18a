import type { MediaType } from '../document/media-type.ts';
import { cleanText } from '../document/text.ts';
import type { Ports } from '../ports/index.ts';
import type { DecodeLimits, RasterDocument } from '../ports/rasterizer.ts';
import type { TextLayerDocument } from '../ports/text-layer-reader.ts';
import type { RecognizedPage } from '../recognition/page.ts';
import type { Cancellation } from '../units.ts';

/** How pages are read and what each may cost. */
export interface ReadingSettings {
  readonly language: string; // Tesseract language string
  readonly textLayer: 'prefer' | 'ignore';
  readonly maxPixels: number;
  readonly pageTimeoutMs: number;
}

/** A file whose pages can be read one by one, also at the same time. */
export interface OpenedPages {
  readonly pageCount: number; // > 0
  read(number: number, signal: Cancellation): Promise<RecognizedPage>;
  close(): Promise<void>;
}

const serving = <T extends { readonly mediaTypes: readonly string[] }>(tools: readonly T[], mediaType: MediaType): T | undefined =>
  tools.find((tool) => tool.mediaTypes.includes(mediaType));

/**
 * Opens a file for reading: with its text layer where it has one that may be used, and for rendering only when a page
 * needs it. Throws as `Rasterizer.open` does.
 */
export const openPages =
  (ports: Pick<Ports, 'imagePreparer' | 'ocrEngine' | 'rasterizers' | 'textLayerReaders'>, settings: ReadingSettings) =>
  async (file: Uint8Array, mediaType: MediaType, signal: Cancellation): Promise<OpenedPages> => {
    const limits: DecodeLimits = { maxPixels: settings.maxPixels, timeoutMs: settings.pageTimeoutMs };
    const rasterizer = serving(ports.rasterizers, mediaType);
    if (!rasterizer) throw new TypeError(`No rasterizer serves ${mediaType}`);
    const reader = settings.textLayer === 'prefer' ? serving(ports.textLayerReaders, mediaType) : undefined;
    const textLayer: TextLayerDocument | undefined = await reader?.open(file, limits, signal);
    let rendering: Promise<RasterDocument> | undefined;
    const raster = (): Promise<RasterDocument> => (rendering ??= rasterizer.open(file, limits, signal));
    const { pageCount } = textLayer ?? (await raster());
    const { language, pageTimeoutMs: timeoutMs } = settings;
    return {
      pageCount,
      read: async (number, pageSignal) => {
        const image = await (await raster()).render(number, limits, pageSignal);
        const read = await ports.ocrEngine.recognize(image, { language, threshold: 'global', timeoutMs }, pageSignal);
        const { width, height } = image;
        return { ...read, text: cleanText(read.text), number, width, height, rotation: 0, source: 'ocr', engine: ports.ocrEngine.name, language };
      },
      close: async () => {
        await textLayer?.close();
        await (await rendering)?.close();
      },
    };
  };
