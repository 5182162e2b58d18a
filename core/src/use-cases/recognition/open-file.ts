import type { MediaType } from '../../document/media-type.ts';
import type { Ports } from '../../ports/index.ts';
import type { RasterDocument } from '../../ports/rasterizer.ts';
import type { TextLayerDocument } from '../../ports/text-layer-reader.ts';
import type { DecodeLimits, RecognitionLimits } from '../../recognition/limits.ts';
import type { RecognizedPage } from '../../recognition/page.ts';
import type { Cancellation } from '../../units.ts';
import { readPage, type RunTask } from './read-page.ts';

/** How pages are read, and the limits of each page. */
export interface ReadingSettings extends RecognitionLimits {
  readonly textLayer: 'prefer' | 'ignore';
}

/** An open file. Its pages can be read one by one, also concurrently. */
export interface OpenedFile {
  readonly pageCount: number; // > 0
  readPage(number: number, signal: Cancellation): Promise<RecognizedPage>;
  close(): Promise<void>;
}

/** How the work on pages is run: `time` measures all work, `inSlot` limits how many pages are recognized at once. */
export interface PageWork {
  readonly time: RunTask;
  readonly inSlot: <T>(task: () => Promise<T>, signal: Cancellation) => Promise<T>;
}

const supporting = <T extends { readonly mediaTypes: readonly string[] }>(
  tools: readonly T[],
  mediaType: MediaType,
): T | undefined => tools.find((tool) => tool.mediaTypes.includes(mediaType));

/**
 * Opens a file for reading. Its text layer is opened if the settings prefer it; a rasterizer is opened when the first
 * page has to be recognized. Throws the errors of `Rasterizer.open`.
 */
export const openFile =
  (
    ports: Pick<Ports, 'clock' | 'imagePreparer' | 'ocrEngine' | 'rasterizers' | 'textLayerReaders'>,
    settings: ReadingSettings,
    { time, inSlot }: PageWork,
  ) =>
  async (file: Uint8Array, mediaType: MediaType, signal: Cancellation): Promise<OpenedFile> => {
    const limits: DecodeLimits = { maxPixels: settings.maxPixels, timeoutMs: settings.pageTimeoutMs };
    const rasterizer = supporting(ports.rasterizers, mediaType);
    if (!rasterizer) throw new TypeError(`No rasterizer supports ${mediaType}`);
    const reader = settings.textLayer === 'prefer' ? supporting(ports.textLayerReaders, mediaType) : undefined;
    const textLayer: TextLayerDocument | undefined = await reader?.open(file, limits, signal);
    let opening: Promise<RasterDocument> | undefined;
    const raster = (): Promise<RasterDocument> => (opening ??= rasterizer.open(file, limits, signal));
    const { pageCount } = textLayer ?? (await raster());
    const timedLayer: TextLayerDocument | undefined = textLayer && {
      pageCount,
      read: (...given) => time(() => textLayer.read(...given)),
      close: () => textLayer.close(),
    };
    return {
      pageCount,
      readPage: (number, pageSignal) =>
        readPage(ports, settings, (task) => inSlot(() => time(task), pageSignal))(
          { number, textLayer: timedLayer, raster },
          pageSignal,
        ),
      close: async () => {
        await textLayer?.close();
        // If the opening failed, there is no document to close, and a page has already thrown the error.
        await opening?.then(
          (document) => document.close(),
          () => undefined,
        );
      },
    };
  };
