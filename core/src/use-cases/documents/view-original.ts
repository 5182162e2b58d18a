import type { CompletedDocument } from '../../document/document.ts';
import type { ViewSettings } from '../../document/view-settings.ts';
import { visibleTo } from '../../document/visibility.ts';
import { AppError, isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import type { Cancellation } from '../../units.ts';
import { readOriginal } from './read-original.ts';

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
