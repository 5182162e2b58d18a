import type { Indexes } from '../indexes.ts';

/** The collection of the jobs. */
export const JOBS = 'jobs';

/**
 * By this index a job is found that may be taken: one that nobody holds, by its moment, priority and age, and one whose
 * holder is not heard of any more, by the moment of its lock. What follows `_id` lets jobs be counted by their states
 * without a look at the jobs themselves.
 */
export const jobIndexes: Indexes = {
  [JOBS]: [
    {
      name: 'to_run',
      key: {
        name: 1,
        lockedAt: 1,
        nextRunAt: 1,
        priority: -1,
        _id: 1,
        disabled: 1,
        failedAt: 1,
        lastFinishedAt: 1,
        repeatInterval: 1,
      },
    },
  ],
};
