import type { Composition } from '@palimpsest/composition';
import type { JobHandler, ProcessingDocument, RecognitionOutcome } from '@palimpsest/core';

const logOutcome = (
  log: Composition['log'],
  document: ProcessingDocument,
  outcome: RecognitionOutcome,
  ms: number,
): void => {
  const fields = { documentId: document.id, attempt: document.attempts, outcome: outcome.kind, ms };
  switch (outcome.kind) {
    case 'completed':
      log.info({ ...fields, pages: outcome.pageCount }, 'document completed');
      return;
    case 'failed':
      log.info({ ...fields, err: outcome.fault }, 'document failed');
      return;
    case 'postponed':
      log.warn({ ...fields, err: outcome.fault }, 'document delayed; it is retried later');
      return;
    case 'released':
      log.info(fields, 'document returned to the queue');
      return;
    case 'lost':
      log.info(fields, 'lease lost; this worker stores no more results');
  }
};

/**
 * The handler of recognition jobs. A job does not name a document: the worker claims the next one in fair order. A
 * recurring job finds a delayed document when its back-off is over.
 */
export const recognitionJobs = ({ useCases, log, config }: Composition): JobHandler => ({
  concurrency: config.workerConcurrency * 2,
  run: async (job) => {
    const startedAt = performance.now();
    const worked = await useCases.runRecognitionJob(job, ({ id, attempts, mediaType }) =>
      log.info({ documentId: id, attempt: attempts, mediaType }, 'document claimed'),
    );
    if (!worked) return 'done';
    const { document, outcome } = worked;
    logOutcome(log, document, outcome, Math.round(performance.now() - startedAt));
    return outcome.kind === 'released' ? { retryAt: outcome.retryAt } : 'done';
  },
});
