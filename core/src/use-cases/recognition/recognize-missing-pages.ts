import type { Stopwatch } from '../../concurrency/stopwatch.ts';
import type { Document, ProcessingDocument } from '../../document/document.ts';
import { renew } from '../../document/lifecycle.ts';
import { onStore } from '../../document/store-errors.ts';
import { AppError, isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import { PageFault } from '../../recognition/page-fault.ts';
import type { Cancellation } from '../../units.ts';
import { updateLeased } from './lease.ts';
import type { OpenedFile } from './open-file.ts';
import type { WorkSettings } from './work-settings.ts';

const timedOut = (limitMs: number): AppError =>
  new AppError(
    'DOCUMENT_TIMED_OUT',
    `Reading this document took longer than ${Math.round(limitMs / 1000)} seconds, the limit of this service. Split it into smaller files.`,
  );

/**
 * Reads the pages that no earlier run has stored, a few at once, and stores each page as soon as it is read. After an
 * error no further page is started; the error is thrown when the running pages have ended.
 */
export const recognizeMissingPages =
  (ports: Pick<Ports, 'documents' | 'pages' | 'clock'>, settings: WorkSettings) =>
  async (held: ProcessingDocument, file: OpenedFile, stopwatch: Stopwatch, signal: Cancellation): Promise<void> => {
    const { pages, clock } = ports;
    await onStore(pages.adopt(held.id, held.run));
    const stored = await onStore(pages.list(held.id, held.run));
    const done = new Set(stored.filter((page) => page.language === settings.language).map((page) => page.number));
    const missing = Array.from({ length: file.pageCount }, (_, i) => i + 1).filter((number) => !done.has(number));

    const storeProgress = (): Promise<Document> =>
      updateLeased(ports)(held, (current) =>
        renew(current, clock.now(), settings, { pagesDone: done.size, pagesTotal: file.pageCount }),
      );
    await onStore(storeProgress());

    let stopped = false;
    const readPages = async (): Promise<void> => {
      for (let number = missing.shift(); number !== undefined && !stopped; number = missing.shift()) {
        const current = number;
        try {
          signal.throwIfAborted();
          const page = await file.readPage(current, signal);
          await onStore(pages.put(held.id, held.run, page));
          done.add(current);
          await onStore(storeProgress());
          if (stopwatch.ms() > settings.documentTimeoutMs && missing.length > 0)
            throw timedOut(settings.documentTimeoutMs);
        } catch (error) {
          stopped = true;
          throw isAppError(error, 'LEASE_LOST', 'SERVICE_UNAVAILABLE', 'DOCUMENT_TIMED_OUT')
            ? error
            : new PageFault(current, error);
        }
      }
    };
    const lanes = Array.from({ length: Math.min(settings.pagesAtOnce, Math.max(missing.length, 1)) }, readPages);
    const results = await Promise.allSettled(lanes);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  };
