import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import type { CompletedDocument } from '../../document/document.ts';
import { visibleTo } from '../../document/visibility.ts';
import { AppError, isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import type { Cancellation } from '../../units.ts';
import { readOriginal } from './read-original.ts';

/** The limits of page images and searchable PDFs, which are made while a client waits. */
export interface ViewSettings {
  readonly viewSlots: FairSemaphore; // see viewSlots
  readonly maxPixels: number; // of one page image
  readonly pageTimeoutMs: number; // for one page
  readonly documentTimeoutMs: number; // for a file of all pages
}

const MAX_WAITING_PER_OWNER = 100; // more page images than a client shows at once
const RETRY_AFTER_MS = 5_000; // a page takes about a second

/**
 * The slots for work that a client waits for: page images, searchable PDFs and text comparisons. The owner is the owner
 * of the document. `RATE_LIMITED` if more than 100 requests of one owner wait.
 */
export const viewSlots = (slots: number): FairSemaphore =>
  new FairSemaphore({ slots, maxWaitingPerOwner: MAX_WAITING_PER_OWNER }, (waiting) => {
    const message = `${waiting} requests of this account are waiting already. Try again when some of them have been answered.`;
    return new AppError('RATE_LIMITED', message, { retryAfterMs: RETRY_AFTER_MS });
  });

/** Translates an error of the work on a file into an error for the client that asked for a page or a PDF. */
const toClientError = (error: unknown): unknown => {
  if (isAppError(error, 'SOURCE_MISSING', 'SOURCE_CHANGED')) {
    return new AppError(
      'FILE_NOT_STORED',
      'The file of this document is not stored any more. Upload the document again.',
      { cause: error },
    );
  }
  if (isAppError(error, 'ENGINE_CRASHED'))
    return new AppError('SERVICE_UNAVAILABLE', 'The page renderer stopped unexpectedly.', { cause: error });
  const isFaultOfFile = isAppError(
    error,
    'DOCUMENT_DAMAGED',
    'DOCUMENT_ENCRYPTED',
    'DOCUMENT_WITHOUT_PAGES',
    'PAGE_TOO_LARGE',
    'PAGE_TIMED_OUT',
    'PAGE_OUT_OF_MEMORY',
  );
  return isFaultOfFile
    ? new AppError('PAGE_NOT_RENDERABLE', `The file cannot be shown: ${error.message}`, { cause: error })
    : error;
};

/**
 * Calls `make` with the original file, in one of the `viewSlots`. Throws `DOCUMENT_NOT_FOUND` if the document was
 * deleted meanwhile, `FILE_NOT_STORED`, `PAGE_NOT_RENDERABLE`, `SERVICE_UNAVAILABLE`, or `RATE_LIMITED`.
 */
export const viewOriginal =
  (ports: Pick<Ports, 'documents' | 'blobs' | 'checksums'>, settings: Pick<ViewSettings, 'viewSlots'>) =>
  <T>(document: CompletedDocument, signal: Cancellation, make: (file: Uint8Array) => Promise<T>): Promise<T> =>
    settings.viewSlots.run(
      document.ownerId,
      async () => {
        try {
          return await make(await readOriginal(ports, document));
        } catch (error) {
          visibleTo({ accountId: document.ownerId }, await ports.documents.find(document.id));
          throw toClientError(error);
        }
      },
      signal,
    );
