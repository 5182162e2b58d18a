import type { JobQueue } from '@palimpsest/core';

/** Counts the jobs of a queue that only this process uses. Returns a function for the number of jobs of a kind that are neither running nor done. */
export const watchJobs = (jobs: JobQueue): ((kind: string) => number) => {
  const waiting = new Map<string, number>();
  const count = (kind: string, change: number): void => void waiting.set(kind, (waiting.get(kind) ?? 0) + change);
  const enqueue = jobs.enqueue.bind(jobs);
  const work = jobs.work.bind(jobs);
  jobs.enqueue = async (kind, ...job) => {
    count(kind, 1);
    await enqueue(kind, ...job);
  };
  jobs.work = (handlers, onError) => {
    const watched = Object.entries(handlers).map(([kind, handler]) => {
      const run: typeof handler.run = async (job) => {
        count(kind, -1);
        let isDone = false;
        try {
          const outcome = await handler.run(job);
          isDone = outcome === 'done';
          return outcome;
        } finally {
          if (!isDone) count(kind, 1);
        }
      };
      return [kind, { ...handler, run }] as const;
    });
    return work(Object.fromEntries(watched), onError);
  };
  return (kind) => waiting.get(kind) ?? 0;
};
