import type { Composition } from '@palimpsest/composition';
import type { JobHandler, ProcessingDocument, RecognitionOutcome } from '@palimpsest/core';

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

/** The handler of recognition jobs. A job does not name a document: it makes the worker claim the next one. */
export const recognitionJobs = ({ useCases, log, config }: Composition): JobHandler => ({
  concurrency: config.workerConcurrency * 2,
  run: async ({ signal }) => {
    const startedAt = performance.now();
    const worked = await useCases.workOnNextDocument(signal, ({ id, attempts, mediaType }) => {
      log.info({ documentId: id, attempt: attempts, mediaType }, 'document claimed');
    });
    if (!worked) return 'done';
    const { document, outcome } = worked;
    logOutcome(log, document, outcome, Math.round(performance.now() - startedAt));
    return outcome.kind === 'put-off' || outcome.kind === 'handed-back' ? { retryAt: outcome.retryAt } : 'done';
  },
});
