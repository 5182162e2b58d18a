import { linkedController, newController } from '../../concurrency/abort-controller.ts';
import type { ProcessingDocument } from '../../document/document.ts';
import type { Ports } from '../../ports/index.ts';
import type { Cancellation } from '../../units.ts';
import { claimDocument } from './claim-document.ts';
import { renewLeasePeriodically } from './lease.ts';
import { recognizeDocument, type RecognitionPorts } from './recognize-document.ts';
import type { WorkSettings } from './work-settings.ts';
import type { RecognitionOutcome } from './settle-document.ts';

export type WorkPorts = RecognitionPorts & Pick<Ports, 'ids' | 'timer'>;

/** A document that a worker claimed, and the outcome of the work on it. */
export interface WorkedDocument {
  readonly document: ProcessingDocument; // as it was claimed
  readonly outcome: RecognitionOutcome;
}

/**
 * Does all work on the next document: claims it, renews the lease while it reads the pages, and completes or fails the
 * document or puts it back into the queue. The result is `undefined` if no document is due. When the lease is lost, the
 * work stops at once and nothing more is stored. When `signal` aborts, the document is released. Any number of calls
 * may run at once, in any number of processes: each works on another document. All calls of one returned function share
 * `pagesAtOnce`. Throws if the store cannot be reached; then the lease of a claimed document expires, and a later call
 * claims the document again.
 */
export const workOnNextDocument = (ports: WorkPorts, settings: WorkSettings) => {
  const claim = claimDocument(ports, settings);
  const recognize = recognizeDocument(ports, settings);
  const keep = renewLeasePeriodically(ports, settings);
  return async (
    signal: Cancellation,
    onClaimed?: (document: ProcessingDocument) => void,
  ): Promise<WorkedDocument | undefined> => {
    const document = await claim();
    if (!document) return undefined;
    onClaimed?.(document);
    const work = linkedController(signal);
    const heartbeat = newController();
    const kept = keep(document, heartbeat.signal, (error) => work.abort(error));
    try {
      return { document, outcome: await recognize(document, work.signal) };
    } finally {
      work.unlink();
      heartbeat.abort(new Error('The work has ended'));
      await kept;
    }
  };
};
