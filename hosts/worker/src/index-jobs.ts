import type { Composition } from '@palimpsest/composition';
import type { JobHandler } from '@palimpsest/core';

/** The handler of jobs that see to it that a changed text is found. */
export const indexJobs = ({ useCases }: Pick<Composition, 'useCases'>): JobHandler => ({
  concurrency: 1,
  run: async ({ payload }) => {
    await useCases.runIndexJob(payload);
    return 'done';
  },
});
