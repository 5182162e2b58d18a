import type { ProcessingDocument } from '../../document/document.ts';
import type { JobPayload, RunningJob } from '../../jobs/job.ts';
import { RECOGNIZE_JOB } from '../../jobs/job-kinds.ts';
import { workOnNextDocument, type WorkedDocument, type WorkPorts } from './work-on-next-document.ts';
import type { WorkSettings } from './work-settings.ts';

/**
 * Runs a job of the kind {@link RECOGNIZE_JOB}: works on the next document, see {@link workOnNextDocument}. A job with
 * `wakesNext` queues another such job before it works on its document. So all free slots of all workers get a document,
 * and the chain ends when no document is due.
 */
export const runRecognitionJob = (ports: WorkPorts, settings: WorkSettings) => {
  const work = workOnNextDocument(ports, settings);

  const queueNext = async (payload: JobPayload): Promise<void> => {
    try {
      await ports.jobs.enqueue(RECOGNIZE_JOB, payload);
    } catch (error) {
      ports.faults.report(error, 'adding the next recognition job; a recurring job adds it');
    }
  };

  return async (
    { payload, signal }: RunningJob,
    onClaimed?: (document: ProcessingDocument) => void,
  ): Promise<WorkedDocument | undefined> => {
    let queued = Promise.resolve();
    const worked = await work(signal, (document) => {
      if (payload['wakesNext'] === true) queued = queueNext(payload);
      onClaimed?.(document);
    });
    await queued;
    return worked;
  };
};
