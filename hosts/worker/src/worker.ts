import type { Composition } from '@palimpsest/composition';
import type { JobWorker } from '@palimpsest/core';
import { jobHandlers } from './job-handlers.ts';

/** Starts a worker in this process. It runs the jobs of the queue until it is stopped. */
export const startWorker = (composition: Composition): Promise<JobWorker> =>
  composition.ports.jobs.work(jobHandlers(composition), (error, kind) =>
    composition.log.error({ err: error, kind }, 'job failed; it is retried later'),
  );
