import type { Document, ProcessingDocument } from '../document/document.ts';
import { afterFault, complete, faultClass, handBack, renew, type WorkRules } from '../document/lifecycle.ts';
import { MAX_TEXT_LENGTH } from '../document/text.ts';
import { AppError, isAppError } from '../errors.ts';
import type { Ports } from '../ports/index.ts';
import type { Cancellation, Instant } from '../units.ts';
import { purgeDocument } from './delete-document.ts';
import { changeText, indexDocument } from './index-document.ts';
import { changeHeld } from './keep-lease.ts';
import { onStore, readOriginal } from './read-original.ts';
import { startStopwatch, type Stopwatch } from './stopwatch.ts';
import { openPages, type OpenedPages, type ReadingSettings } from './open-pages.ts';

/** Limits on a whole document, beside those of {@link ReadingSettings} on each page. */
export interface RecognitionSettings extends ReadingSettings {
  readonly maxPages: number;
  readonly documentTimeoutMs: number; // of work on its pages, waiting for a free place left out
  readonly pagesAtOnce: number; // of this document at most
}

type RecognitionPorts = Pick<
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
  | 'pageLimit'
  | 'rasterizers'
  | 'textLayerReaders'
>;

/** What became of one worker's hold on a document. */
export type RecognitionOutcome =
  | { readonly kind: 'completed'; readonly pageCount: number }
  | { readonly kind: 'failed'; readonly fault: unknown }
  | { readonly kind: 'put-off'; readonly retryAt: Instant; readonly fault: unknown }
  | { readonly kind: 'handed-back'; readonly retryAt: Instant }
  | { readonly kind: 'lost' };

/** An error on a page, so that the page is known where the error is judged. */
class PageFault extends Error {
  readonly pageNumber: number;

  constructor(pageNumber: number, cause: unknown) {
    super(`page ${pageNumber}`, { cause });
    this.pageNumber = pageNumber;
  }
}

const CRASH_MESSAGE =
  'The text of this document could not be read: the recognition stopped unexpectedly each time it was tried.';

/** Reads the pages that are still missing, a few at once, and stores each as soon as it is read. */
const readMissingPages = async (
  ports: RecognitionPorts,
  held: ProcessingDocument,
  opened: OpenedPages,
  settings: RecognitionSettings,
  rules: WorkRules,
  stopwatch: Stopwatch,
  signal: Cancellation,
): Promise<void> => {
  const { pages, clock } = ports;
  await onStore(pages.adopt(held.id, held.run));
  const stored = await onStore(pages.list(held.id, held.run));
  const done = new Set(stored.filter((page) => page.language === settings.language).map((page) => page.number));
  const numbers = Array.from({ length: opened.pageCount }, (_, i) => i + 1).filter((number) => !done.has(number));

  const noteProgress = (): Promise<Document> =>
    changeHeld(ports)(held, (current) =>
      renew(current, clock.now(), rules, { pagesDone: done.size, pagesTotal: opened.pageCount }),
    );
  await onStore(noteProgress());

  let stopped = false;
  const readNext = async (): Promise<void> => {
    for (let number = numbers.shift(); number !== undefined && !stopped; number = numbers.shift()) {
      const current = number;
      try {
        signal.throwIfAborted();
        const page = await opened.read(current, signal);
        await onStore(pages.put(held.id, held.run, page));
        done.add(current);
        await onStore(noteProgress());
        if (stopwatch.ms() > settings.documentTimeoutMs && numbers.length > 0) {
          throw new AppError(
            'DOCUMENT_TIMED_OUT',
            `Reading this document took longer than ${Math.round(settings.documentTimeoutMs / 1000)} seconds, which is the limit here. Split it into smaller files.`,
          );
        }
      } catch (error) {
        stopped = true;
        throw isAppError(error, 'LEASE_LOST', 'SERVICE_UNAVAILABLE', 'DOCUMENT_TIMED_OUT')
          ? error
          : new PageFault(current, error);
      }
    }
  };
  const lanes = Array.from({ length: Math.min(settings.pagesAtOnce, Math.max(numbers.length, 1)) }, () => readNext());
  const ends = await Promise.allSettled(lanes);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
};

/** Sees to it that the document is found by its names, if its upload did not come to that. */
const findableByName = async (ports: RecognitionPorts, { id }: ProcessingDocument): Promise<void> => {
  try {
    if ((await ports.searchIndex.versionOf(id)) === undefined) await indexDocument(ports)(id);
  } catch (error) {
    ports.faults.report(error, 'indexing a document that is being read; it is done at its end');
  }
};

const readWhole = async (
  ports: RecognitionPorts,
  held: ProcessingDocument,
  settings: RecognitionSettings,
  rules: WorkRules,
  signal: Cancellation,
): Promise<number> => {
  await findableByName(ports, held);
  const file = await readOriginal(ports, held);
  const stopwatch = startStopwatch(ports.clock);
  const opened = await openPages(ports, settings, stopwatch.time)(file, held.mediaType, signal);
  try {
    if (opened.pageCount > settings.maxPages) {
      throw new AppError(
        'TOO_MANY_PAGES',
        `The document has ${opened.pageCount} pages; at most ${settings.maxPages} are read. Split it into smaller files.`,
      );
    }
    await readMissingPages(ports, held, opened, settings, rules, stopwatch, signal);
  } finally {
    await opened.close();
  }
  const read = await onStore(ports.pages.list(held.id, held.run));
  if (read.reduce((length, { text }) => length + text.length, 0) > MAX_TEXT_LENGTH) {
    throw new AppError(
      'TOO_MUCH_TEXT',
      'The document holds more text than can be kept as one. Split it into smaller files.',
    );
  }
  const engine = read.every((page) => page.source === 'text_layer') ? 'pdf-text' : ports.ocrEngine.name;
  const ocr = { engine, language: settings.language, pageCount: opened.pageCount };
  await onStore(
    changeText(ports)(held.id, () => changeHeld(ports)(held, (current) => complete(current, ocr, ports.clock.now()))),
  );
  return opened.pageCount;
};

/**
 * A document that was deleted while it was read keeps nothing of what was read since; its last holder need not wait for
 * the sweep.
 */
const cleanAfterLoss = async (ports: RecognitionPorts, held: ProcessingDocument): Promise<void> => {
  const document = await ports.documents.find(held.id);
  if (document === undefined) await ports.pages.removeAll(held.id);
  else if (document.status === 'deleting' && document.run === held.run) await purgeDocument(ports)(document);
};

const settle = async (
  ports: RecognitionPorts,
  held: ProcessingDocument,
  error: unknown,
  rules: WorkRules,
  signal: Cancellation,
): Promise<RecognitionOutcome> => {
  const { clock } = ports;
  if (signal.aborted) {
    const { notBefore } = await changeHeld(ports)(held, (current) => handBack(current, clock.now()));
    return { kind: 'handed-back', retryAt: notBefore };
  }
  const fault = error instanceof PageFault ? error.cause : error;
  const next = await changeHeld(ports)(held, (current) =>
    afterFault(
      current,
      {
        class: faultClass(fault),
        message: isAppError(fault) ? fault.message : CRASH_MESSAGE,
        ...(error instanceof PageFault ? { pageNumber: error.pageNumber } : {}),
      },
      clock.now(),
      rules,
    ),
  );
  return next.status === 'failed' ? { kind: 'failed', fault } : { kind: 'put-off', retryAt: next.notBefore, fault };
};

/**
 * Reads a claimed document page by page and brings it to its end: `completed`, `failed`, or back to the queue, as the
 * class of the fault demands. When `signal` aborts, work in hand is dropped, pages already read are kept for the next
 * worker and the document is handed back. A worker that lost its lease changes nothing. Throws only if the store cannot
 * be reached to write down the end; then the lease runs out and the document is claimed anew.
 */
export const recognizeDocument =
  (ports: RecognitionPorts, settings: RecognitionSettings, rules: WorkRules) =>
  async (held: ProcessingDocument, signal: Cancellation): Promise<RecognitionOutcome> => {
    try {
      try {
        const pageCount = await readWhole(ports, held, settings, rules, signal);
        await ports.pages.removeOthers(held.id, held.run).catch((error: unknown) => {
          ports.faults.report(error, 'removing pages of earlier runs');
        });
        return { kind: 'completed', pageCount };
      } catch (error) {
        if (isAppError(error, 'LEASE_LOST')) throw error;
        return await settle(ports, held, error, rules, signal);
      }
    } catch (error) {
      if (!isAppError(error, 'LEASE_LOST')) throw error;
      await cleanAfterLoss(ports, held);
      return { kind: 'lost' };
    }
  };
