import type { Ports } from '../../ports/index.ts';
import { RECOGNIZE_JOB } from '../documents/upload-document.ts';

/**
 * Queues a recognition job if a document is claimable: because the process died between the upload and its job, because
 * the worker that held the lease died, or because its back-off is over. A job with `wakesNext` queues another such job
 * before it works on its document: all free slots of all workers thus get a document, and the chain ends when no
 * document is due. A recurring job calls this function. A superfluous job does no harm: it finds no document.
 */
export const findWaitingDocuments =
  ({ documents, jobs, clock }: Pick<Ports, 'documents' | 'jobs' | 'clock'>) =>
  async (): Promise<void> => {
    if ((await documents.nextClaimable(clock.now())) === undefined) return;
    await jobs.enqueue(RECOGNIZE_JOB, { wakesNext: true });
  };
