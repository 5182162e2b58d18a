import type { QueuedDocument } from '../../document/document.ts';
import { reprocess } from '../../document/lifecycle.ts';
import type { Actor } from '../../document/visibility.ts';
import { RECOGNIZE_JOB } from '../../jobs/job-kinds.ts';
import type { Ports } from '../../ports/index.ts';
import { findVisible } from './find-document.ts';

/**
 * Puts a failed document back into the queue, with all attempts available again. Throws `DOCUMENT_NOT_FOUND` or
 * `DOCUMENT_NOT_FAILED`.
 */
export const reprocessDocument =
  (ports: Pick<Ports, 'documents' | 'jobs' | 'clock' | 'faults'>) =>
  async (actor: Actor, id: string): Promise<QueuedDocument> => {
    const { documents, jobs, clock, faults } = ports;
    let queued: QueuedDocument;
    do {
      queued = reprocess(await findVisible(ports)(actor, id), clock.now());
    } while (!(await documents.replace(queued)));
    try {
      await jobs.enqueue(RECOGNIZE_JOB, {});
    } catch (error) {
      faults.report(error, 'adding the job of a document that is processed again; a recurring job adds it');
    }
    return queued;
  };
