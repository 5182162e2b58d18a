import type { CompletedDocument } from '../document/document.ts';
import { visibleTo } from '../document/visibility.ts';
import { AppError, isAppError } from '../errors.ts';
import type { PreparationStep } from '../ports/image-preparer.ts';
import type { Ports } from '../ports/index.ts';
import type { PageWithoutWords } from '../ports/page-repository.ts';
import { turnedSize } from '../recognition/geometry.ts';
import type { GreyImage } from '../recognition/page.ts';
import type { Cancellation } from '../units.ts';
import { readOriginal } from './read-original.ts';

/** Limits on what is made for somebody who waits for it. */
export interface ViewSettings {
  readonly maxPixels: number; // of one page image
  readonly pageTimeoutMs: number; // for one page
  readonly documentTimeoutMs: number; // for a file of all pages
}

/** An error as the one who looks at a document is told of it. */
const forViewer = (error: unknown): unknown => {
  if (isAppError(error, 'SOURCE_MISSING', 'SOURCE_CHANGED')) {
    return new AppError(
      'FILE_NOT_STORED',
      'The file of this document is not stored any more. Upload the document again.',
      { cause: error },
    );
  }
  const isOfTheFile = isAppError(
    error,
    'DOCUMENT_DAMAGED',
    'DOCUMENT_ENCRYPTED',
    'DOCUMENT_WITHOUT_PAGES',
    'PAGE_TOO_LARGE',
    'PAGE_TIMED_OUT',
    'PAGE_OUT_OF_MEMORY',
  );
  if (isAppError(error, 'ENGINE_CRASHED'))
    return new AppError('SERVICE_UNAVAILABLE', 'What renders pages stopped unexpectedly.', { cause: error });
  return isOfTheFile
    ? new AppError('PAGE_NOT_RENDERABLE', `This cannot be shown: ${error.message}`, { cause: error })
    : error;
};

/**
 * Makes something of the original file, a few at once in this process, in turn over the owners of documents; errors are
 * told in the viewer's words. Throws `RATE_LIMITED` if too much waits to be made of the documents of one owner.
 */
export const viewOriginal =
  (ports: Pick<Ports, 'documents' | 'blobs' | 'checksums' | 'viewLimit'>) =>
  <T>(document: CompletedDocument, signal: Cancellation, make: (file: Uint8Array) => Promise<T>): Promise<T> =>
    ports.viewLimit.run(
      document.ownerId,
      async () => {
        try {
          return await make(await readOriginal(ports, document));
        } catch (error) {
          // A deletion that came in between is why something is missing.
          visibleTo({ accountId: document.ownerId }, await ports.documents.find(document.id));
          throw forViewer(error);
        }
      },
      signal,
    );

/** The steps that make of a rendered page what was read: it is turned upright and, if limits have changed since, scaled. */
const stepsTo = (page: PageWithoutWords, rendered: GreyImage): readonly PreparationStep[] => [
  ...(page.rotation === 0 ? [] : [{ kind: 'turn', degrees: page.rotation } as const]),
  ...(turnedSize(rendered, page.rotation).height === page.height
    ? []
    : [{ kind: 'scale', height: page.height } as const]),
];

/**
 * A page of a document as it was read, upright and in grey, as an image file, in whose pixels the boxes of its words
 * are. Throws `FILE_NOT_STORED`, `PAGE_NOT_RENDERABLE` or `RATE_LIMITED`.
 */
export const renderPage = (
  ports: Pick<
    Ports,
    'documents' | 'blobs' | 'checksums' | 'viewLimit' | 'rasterizers' | 'imagePreparer' | 'pageImages'
  >,
  { maxPixels, pageTimeoutMs }: ViewSettings,
) => {
  const { rasterizers, imagePreparer, pageImages } = ports;
  const view = viewOriginal(ports);
  const limits = { maxPixels, timeoutMs: pageTimeoutMs };

  const render = async (
    document: CompletedDocument,
    number: number,
    file: Uint8Array,
    signal: Cancellation,
  ): Promise<GreyImage> => {
    const rasterizer = rasterizers.find(({ mediaTypes }) => mediaTypes.includes(document.mediaType));
    if (!rasterizer) throw new TypeError(`No rasterizer serves ${document.mediaType}`);
    const opened = await rasterizer.open(file, limits, signal);
    try {
      return await opened.render(number, limits, signal);
    } finally {
      await opened.close();
    }
  };

  return (document: CompletedDocument, page: PageWithoutWords, signal: Cancellation): Promise<Uint8Array> =>
    view(document, signal, async (file) => {
      const rendered = await render(document, page.number, file, signal);
      const steps = stepsTo(page, rendered);
      const image = steps.length === 0 ? rendered : await imagePreparer.prepare(rendered, steps, pageTimeoutMs, signal);
      return pageImages.encode(image, pageTimeoutMs, signal);
    });
};
