import type { ProcessingDocument } from '../../document/document.ts';
import { afterFault, faultClass, release, type WorkRules } from '../../document/lifecycle.ts';
import { isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import { PageFault } from '../../recognition/page-fault.ts';
import type { Cancellation, Instant } from '../../units.ts';
import { updateLeased } from './lease.ts';

/** The outcome of a worker's attempt on a document. */
export type RecognitionOutcome =
  | { readonly kind: 'completed'; readonly pageCount: number }
  | { readonly kind: 'failed'; readonly fault: unknown }
  | { readonly kind: 'postponed'; readonly retryAt: Instant; readonly fault: unknown }
  | { readonly kind: 'released'; readonly retryAt: Instant }
  | { readonly kind: 'lost' };

const CRASH_MESSAGE =
  'The text of this document could not be read: the recognition stopped unexpectedly each time it was tried.';

/**
 * Sets the status of a document whose recognition threw `error`. If the worker shuts down, the document is released;
 * otherwise the class of the error decides whether it is retried or fails. Throws `LEASE_LOST` if the worker does not
 * hold the lease any more.
 */
export const settleDocument =
  (ports: Pick<Ports, 'documents' | 'clock'>, rules: WorkRules) =>
  async (held: ProcessingDocument, error: unknown, signal: Cancellation): Promise<RecognitionOutcome> => {
    const { clock } = ports;
    if (signal.aborted) {
      const { notBefore } = await updateLeased(ports)(held, (current) => release(current, clock.now()));
      return { kind: 'released', retryAt: notBefore };
    }
    const fault = error instanceof PageFault ? error.cause : error;
    const workFault = {
      class: faultClass(fault),
      message: isAppError(fault) ? fault.message : CRASH_MESSAGE,
      ...(error instanceof PageFault ? { pageNumber: error.pageNumber } : {}),
    };
    const next = await updateLeased(ports)(held, (current) => afterFault(current, workFault, clock.now(), rules));
    return next.status === 'failed' ? { kind: 'failed', fault } : { kind: 'postponed', retryAt: next.notBefore, fault };
  };
