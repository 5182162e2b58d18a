import type { MediaType } from '../document/media-type.ts';
import type { Ports } from '../ports/index.ts';
import type { DecodeLimits, RasterDocument } from '../ports/rasterizer.ts';
import type { TaskLimit } from '../ports/task-limit.ts';
import type { TextLayerDocument } from '../ports/text-layer-reader.ts';
import type { RecognizedPage } from '../recognition/page.ts';
import { readPage } from '../recognition/read-page.ts';
import type { RecognitionLimits } from '../recognition/recognize-page.ts';
import type { Cancellation } from '../units.ts';

/** How pages are read and what each may cost. */
export interface ReadingSettings extends RecognitionLimits {
  readonly textLayer: 'prefer' | 'ignore';
}

/** A file whose pages can be read one by one, also at the same time. */
export interface OpenedPages {
  readonly pageCount: number; // > 0
  read(number: number, signal: Cancellation): Promise<RecognizedPage>;
  close(): Promise<void>;
}

const serving = <T extends { readonly mediaTypes: readonly string[] }>(
  tools: readonly T[],
  mediaType: MediaType,
): T | undefined => tools.find((tool) => tool.mediaTypes.includes(mediaType));

/** Runs work on a page and notes how long it takes. */
export type Timekeeper = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Opens a file for reading: with its text layer where it has one that may be used, and for rendering only when a page
 * needs it. All work on pages goes through `time`; waiting for a free place does not. Throws as `Rasterizer.open` does.
 */
export const openPages =
  (
    ports: Pick<Ports, 'clock' | 'imagePreparer' | 'ocrEngine' | 'pageLimit' | 'rasterizers' | 'textLayerReaders'>,
    settings: ReadingSettings,
    time: Timekeeper,
  ) =>
  async (file: Uint8Array, mediaType: MediaType, signal: Cancellation): Promise<OpenedPages> => {
    const limits: DecodeLimits = { maxPixels: settings.maxPixels, timeoutMs: settings.pageTimeoutMs };
    const rasterizer = serving(ports.rasterizers, mediaType);
    if (!rasterizer) throw new TypeError(`No rasterizer serves ${mediaType}`);
    const reader = settings.textLayer === 'prefer' ? serving(ports.textLayerReaders, mediaType) : undefined;
    const textLayer: TextLayerDocument | undefined = await reader?.open(file, limits, signal);
    let rendering: Promise<RasterDocument> | undefined;
    const raster = (): Promise<RasterDocument> => (rendering ??= rasterizer.open(file, limits, signal));
    const { pageCount } = textLayer ?? (await raster());
    const timedLayer: TextLayerDocument | undefined = textLayer && {
      pageCount,
      read: (...given) => time(() => textLayer.read(...given)),
      close: () => textLayer.close(),
    };
    const pageLimit: TaskLimit = { run: (task) => ports.pageLimit.run(() => time(task)) };
    const read = readPage({ ...ports, pageLimit }, settings);
    return {
      pageCount,
      read: (number, pageSignal) => read({ number, textLayer: timedLayer, raster }, pageSignal),
      close: async () => {
        await textLayer?.close();
        // One that could not be opened has nothing to close; the page that asked for it has the error.
        await rendering?.then(
          (document) => document.close(),
          () => undefined,
        );
      },
    };
  };
