import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import { AppError } from '../errors.ts';

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
