import type { Composition } from '@palimpsest/composition';
import type { Cancellation, JobHandler, ProcessingDocument, RecognitionOutcome } from '@palimpsest/core';

/** How often a worker renews its lease: three times before it would run out. */
const HEARTBEATS_PER_LEASE = 3;

/** Reads one claimed document while its lease is kept; when the lease is lost, the work is stopped at once. */
const readUnderLease = async (
  { useCases, log }: Pick<Composition, 'useCases' | 'log'>,
  held: ProcessingDocument,
  stop: Cancellation,
): Promise<RecognitionOutcome> => {
  const work = new AbortController();
  const stopWork = (): void => work.abort(stop.reason);
  stop.addEventListener('abort', stopWork, { once: true });
  if (stop.aborted) stopWork();
  let beating = false;
  const heartbeat = setInterval(() => {
    if (beating) return;
    beating = true;
    useCases
      .keepLease(held)
      .then((state) => {
        if (state === 'lost') work.abort(new Error('the lease was lost'));
      })
      .catch((error: unknown) => log.warn({ err: error, documentId: held.id }, 'heartbeat failed'))
      .finally(() => {
        beating = false;
      });
  }, useCases.rules.leaseMs / HEARTBEATS_PER_LEASE);
  try {
    return await useCases.recognizeDocument(held, work.signal);
  } finally {
    clearInterval(heartbeat);
    stop.removeEventListener('abort', stopWork);
  }
};

const logOutcome = (
  log: Composition['log'],
  held: ProcessingDocument,
  outcome: RecognitionOutcome,
  ms: number,
): void => {
  const fields = { documentId: held.id, attempt: held.attempts, outcome: outcome.kind, ms };
  switch (outcome.kind) {
    case 'completed':
      log.info({ ...fields, pages: outcome.pageCount }, 'document completed');
      return;
    case 'failed':
      log.info({ ...fields, err: outcome.fault }, 'document failed');
      return;
    case 'put-off':
      log.warn({ ...fields, err: outcome.fault }, 'document put off');
      return;
    case 'handed-back':
    case 'lost':
      log.info(fields, `document ${outcome.kind}`);
  }
};

/** The handler of recognition jobs: each job brings the worker to the next document, whichever that fairly is. */
export const recognitionJobs = ({ useCases, log, config }: Composition): JobHandler => ({
  concurrency: config.workerConcurrency * 2,
  run: async ({ signal }) => {
    const held = await useCases.claimDocument();
    if (!held) return 'done';
    const begun = performance.now();
    log.info({ documentId: held.id, attempt: held.attempts, mediaType: held.mediaType }, 'document claimed');
    const outcome = await readUnderLease({ useCases, log }, held, signal);
    logOutcome(log, held, outcome, Math.round(performance.now() - begun));
    return outcome.kind === 'put-off' || outcome.kind === 'handed-back' ? { retryAt: outcome.retryAt } : 'done';
  },
});
