import type { Composition } from '@palimpsest/composition';
import { INDEX_JOB, RECOGNIZE_JOB, SEND_MAIL_JOB } from '@palimpsest/core';
import { indexJobs } from './index-jobs.ts';
import { mailJobs } from './mail-jobs.ts';
import { recognitionJobs } from './recognition-jobs.ts';
import { startSweeps } from './sweeps.ts';

/** A worker at work in this process. */
export interface RunningWorker {
  /** Takes no more work; what is in hand gets `graceMs`, then it is handed back. */
  stop(graceMs: number): Promise<void>;
}

/** Works on the job queue until it is stopped: recognition, mail, the index and sweeps. */
export const startWorker = async (composition: Composition): Promise<RunningWorker> => {
  const { ports, log } = composition;
  const jobs = await ports.jobs.work(
    {
      [RECOGNIZE_JOB]: recognitionJobs(composition),
      [SEND_MAIL_JOB]: mailJobs(composition),
      [INDEX_JOB]: indexJobs(composition),
    },
    (error, kind) => log.error({ err: error, kind }, 'job failed; it is done again'),
  );
  const sweeps = startSweeps(composition);
  return {
    stop: async (graceMs) => {
      // Together, as a sweep may take long, and no more work is to be taken meanwhile.
      await Promise.all([jobs.stop(graceMs), sweeps.stop()]);
    },
  };
};
