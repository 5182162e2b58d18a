import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { startStopwatch } from '../../concurrency/stopwatch.ts';
import type { ProcessingDocument } from '../../document/document.ts';
import { complete } from '../../document/lifecycle.ts';
import { onStore } from '../../document/store-errors.ts';
import { joinPages, MAX_TEXT_LENGTH } from '../../document/text.ts';
import { AppError, isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import type { Cancellation } from '../../units.ts';
import { purgeDocument } from '../documents/delete-document.ts';
import { readOriginal } from '../documents/read-original.ts';
import { indexAndComplete, indexNames } from '../search/index-document.ts';
import { updateLeased } from './lease.ts';
import { openFile } from './open-file.ts';
import { TEXT_LAYER_ENGINE } from './read-page.ts';
import { recognizeMissingPages } from './recognize-missing-pages.ts';
import { settleDocument, type RecognitionOutcome } from './settle-document.ts';
import type { WorkSettings } from './work-settings.ts';

export type RecognitionPorts = Pick<
  Ports,
  | 'documents'
  | 'pages'
  | 'revisions'
  | 'blobs'
  | 'checksums'
  | 'clock'
  | 'faults'
  | 'jobs'
  | 'searchIndex'
  | 'imagePreparer'
  | 'ocrEngine'
  | 'rasterizers'
  | 'textLayerReaders'
>;

/**
 * Makes the search entry of a document contain its names only: the upload may have failed to store the entry, or an
 * earlier run may have indexed a text without completing the document.
 */
const indexNamesIfProcessing = async (ports: RecognitionPorts, held: ProcessingDocument): Promise<void> => {
  try {
    // The document may have been deleted, or completed by a call that reported a failure.
    if ((await ports.documents.find(held.id))?.status === 'processing') await indexNames(ports)(held);
  } catch (error) {
    ports.faults.report(error, 'indexing the names of a document; the index check does it later');
  }
};

const checkPageCount = (pageCount: number, maxPages: number): void => {
  if (pageCount <= maxPages) return;
  throw new AppError(
    'TOO_MANY_PAGES',
    `The document has ${pageCount} pages; at most ${maxPages} are read. Split it into smaller files.`,
  );
};

/** Indexes the text, completes the document and returns the number of pages. */
const completeDocument = async (
  ports: RecognitionPorts,
  held: ProcessingDocument,
  language: string,
): Promise<number> => {
  const pages = await onStore(ports.pages.list(held.id, held.run));
  if (pages.reduce((length, { text }) => length + text.length, 0) > MAX_TEXT_LENGTH) {
    throw new AppError(
      'TOO_MUCH_TEXT',
      'The document contains more text than the service can store for one document. Split it into smaller files.',
    );
  }
  const engine = pages.every((page) => page.source === 'text_layer') ? TEXT_LAYER_ENGINE : ports.ocrEngine.name;
  const ocr = { engine, language, pageCount: pages.length };
  const store = () => updateLeased(ports)(held, (current) => complete(current, ocr, ports.clock.now()));
  await onStore(indexAndComplete(ports)(held, joinPages(pages.map((page) => page.text)), store));
  return ocr.pageCount;
};

/**
 * Removes the data that the worker stored for a document that was deleted while it was processed. The cleanup job does
 * this too, but it does not find pages that were stored after the record of the document was removed.
 */
const removeIfDeleted = async (ports: RecognitionPorts, held: ProcessingDocument): Promise<void> => {
  const document = await ports.documents.find(held.id);
  if (document === undefined) {
    await ports.pages.removeAll(held.id);
    await ports.searchIndex.remove(held.id);
  } else if (document.status === 'deleting' && document.run === held.run) await purgeDocument(ports)(document);
};

/**
 * Reads a claimed document page by page. Then sets its status: `completed`, `failed`, or `queued` for a retry. When
 * `signal` aborts, the running work is dropped, stored pages are kept for the next worker, and the document is
 * released. A worker that lost its lease changes nothing. Throws only if the store cannot be reached to set the status;
 * then the lease expires and another worker claims the document.
 */
export const recognizeDocument = (ports: RecognitionPorts, settings: WorkSettings) => {
  const slots = new FairSemaphore({ slots: settings.pagesAtOnce });

  const recognize = async (held: ProcessingDocument, signal: Cancellation): Promise<number> => {
    await indexNamesIfProcessing(ports, held);
    const bytes = await readOriginal(ports, held);
    const stopwatch = startStopwatch(() => ports.clock.now());
    const file = await openFile(ports, settings, {
      time: stopwatch.time,
      inSlot: (task, pageSignal) => slots.run(held.ownerId, task, pageSignal),
    })(bytes, held.mediaType, signal);
    try {
      checkPageCount(file.pageCount, settings.maxPages);
      await recognizeMissingPages(ports, settings)(held, file, stopwatch, signal);
    } finally {
      await file.close();
    }
    return completeDocument(ports, held, settings.language);
  };

  const removePagesOfEarlierRuns = async ({ id, run }: ProcessingDocument): Promise<void> => {
    try {
      await ports.pages.removeOthers(id, run);
    } catch (error) {
      ports.faults.report(error, 'removing pages of earlier runs');
    }
  };

  const recognizeAndSettle = async (held: ProcessingDocument, signal: Cancellation): Promise<RecognitionOutcome> => {
    let pageCount: number;
    try {
      pageCount = await recognize(held, signal);
    } catch (error) {
      if (isAppError(error, 'LEASE_LOST')) throw error;
      await indexNamesIfProcessing(ports, held); // before the lease ends, because the next worker may index a text at once
      return settleDocument(ports, settings)(held, error, signal);
    }
    await removePagesOfEarlierRuns(held);
    return { kind: 'completed', pageCount };
  };

  return async (held: ProcessingDocument, signal: Cancellation): Promise<RecognitionOutcome> => {
    try {
      return await recognizeAndSettle(held, signal);
    } catch (error) {
      if (!isAppError(error, 'LEASE_LOST')) throw error;
      await removeIfDeleted(ports, held);
      return { kind: 'lost' };
    }
  };
};
