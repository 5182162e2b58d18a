import { RECOGNIZE_JOB } from '../../jobs/job-kinds.ts';
import type { Ports } from '../../ports/index.ts';

/**
 * Queues a recognition job if a document is claimable: because the process died between the upload and its job, because
 * the worker that held the lease died, or because its back-off is over. The job wakes further ones, see
 * `runRecognitionJob`. A recurring job calls this function. A superfluous job does no harm: it finds no document.
 */
export const findWaitingDocuments =
  ({ documents, jobs, clock }: Pick<Ports, 'documents' | 'jobs' | 'clock'>) =>
  async (): Promise<void> => {
    if ((await documents.nextClaimable(clock.now())) === undefined) return;
    await jobs.enqueue(RECOGNIZE_JOB, { wakesNext: true });
  };
