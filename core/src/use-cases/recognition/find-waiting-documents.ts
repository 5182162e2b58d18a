import type { Ports } from '../../ports/index.ts';
import { RECOGNIZE_JOB } from '../documents/upload-document.ts';

/**
 * Queues a recognition job if a document is claimable: because the process died between the upload and its job, because
 * the worker that held it died, or because its back-off is over. The run of this job queues the next one of its sort
 * before it works on its document (`wakesNext`), so that all free slots of all workers get a document, and the jobs end
 * when no document is left. Run by a recurring job. A queued job too many does no harm: it finds no document.
 */
export const findWaitingDocuments =
  ({ documents, jobs, clock }: Pick<Ports, 'documents' | 'jobs' | 'clock'>) =>
  async (): Promise<void> => {
    if ((await documents.nextClaimable(clock.now())) === undefined) return;
    await jobs.enqueue(RECOGNIZE_JOB, { wakesNext: true });
  };
