import type { Composition } from '@palimpsest/composition';
import { INDEX_JOB, RECOGNIZE_JOB, SEND_MAIL_JOB, type JobHandler } from '@palimpsest/core';
import { mailJobs } from './mail-jobs.ts';
import { checkSearchIndex, cleanUp, removeOrphanedFiles } from './maintenance-jobs.ts';
import { recognitionJobs } from './recognition-jobs.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

/**
 * All jobs of a worker: the kind, how many run at once in this worker, the handler, and the interval of the kinds that
 * have a recurring job. The names of the kinds are stored, so the row of a renamed recurring job stays in the store.
 */
export const jobHandlers = (composition: Composition): Readonly<Record<string, JobHandler>> => {
  const { useCases } = composition;
  return {
    [RECOGNIZE_JOB]: recognitionJobs(composition),
    [SEND_MAIL_JOB]: mailJobs(composition),
    [INDEX_JOB]: {
      concurrency: 1,
      run: async ({ payload }) => {
        await useCases.runIndexJob(payload);
        return 'done';
      },
    },
    'find-waiting-documents': {
      concurrency: 1,
      everyMs: 5 * SECOND_MS,
      run: async () => {
        await useCases.findWaitingDocuments();
        return 'done';
      },
    },
    'clean-up': { concurrency: 1, everyMs: 10 * SECOND_MS, run: cleanUp(composition) },
    'remove-orphaned-files': { concurrency: 1, everyMs: HOUR_MS, run: removeOrphanedFiles(composition) },
    'check-search-index': { concurrency: 1, everyMs: 24 * HOUR_MS, run: checkSearchIndex(composition) },
  };
};
