import type { AgendaBackend, JobParameters, JobRepository } from 'agenda';
import type { HeldJobs } from './held-jobs.ts';
import type { WakeChannel } from './wake-channel.ts';

/** What Agenda may do with the jobs of a worker. */
export interface Guard {
  readonly held: HeldJobs;
  readonly channel: WakeChannel;
  /** Whether one more job of the kind may be locked. */
  readonly mayTake: (kind: string) => boolean;
}

// Agenda takes a job whose `lockedAt` is old for lost, counts it as ended and starts the next one beside it, although the
// handler still runs. Whether a lock is lost is for the store to say, so Agenda is shown one that never ages.
const AGELESS = new Date(8.64e15);

/**
 * The backend as Agenda sees it. What Agenda does well it does: it looks for jobs, when it is time or when it is told,
 * and it bounds how many run. Its bookkeeping is left out, because the promises of the port do not survive it:
 *
 * - It swallows the error when the end of a run cannot be saved, and an error of a lock's release ends the process. So
 *   `HeldJobs` settles the end of a job, durably, before Agenda hears of it, and `saveJobState` has nothing left to do.
 * - It locks jobs before they are due, and on `stop` leaves those locked that it was just fetching. So only what is due is
 *   locked, never more than may run, and what comes in while the worker stops goes back.
 * - Without a look at the lock in the store a stale worker overwrites the lock of another one (see `HeldJobs`).
 */
export const guardedBackend = (backend: AgendaBackend, { held, channel, mayTake }: Guard): AgendaBackend => {
  const store = backend.repository;
  const release = async (ids: readonly (string | undefined)[]) => {
    const wanted = new Set(ids);
    await Promise.all(
      held
        .notBegun()
        .filter(({ id }) => wanted.has(id))
        .map((job) => held.release(job)),
    );
  };
  // Kinds that were to be looked for while as many looks as may be were under way, which may have been too early.
  const missed = new Set<string>();
  const repository: JobRepository = {
    connect: () => Promise.resolve(),
    queryJobs: (options) => store.queryJobs(options),
    getJobsOverview: () => store.getJobsOverview(),
    getDistinctJobNames: () => store.getDistinctJobNames(),
    getJobById: (id) => store.getJobById(id),
    getQueueSize: () => store.getQueueSize(),
    removeJobs: (options) => store.removeJobs(options),
    saveJob: (job, options) => store.saveJob(job, options),
    saveJobState: () => Promise.resolve(),
    lockJob: (job, options) => store.lockJob(job, options),
    unlockJob: (job) => release([job._id]),
    unlockJobs: (ids) => release(ids),
    getNextJobToRun: async (kind): Promise<JobParameters | undefined> => {
      if (!mayTake(kind)) {
        missed.add(kind);
        return undefined;
      }
      missed.delete(kind);
      const taken = await held.take(kind);
      if (taken === undefined && missed.has(kind)) channel.wake(kind);
      return taken && { ...taken.job, lockedAt: AGELESS };
    },
    disableJobs: (options) => store.disableJobs(options),
    enableJobs: (options) => store.enableJobs(options),
    purgeAllJobs: () => store.purgeAllJobs(),
  };
  return {
    name: backend.name,
    ownsConnection: false,
    repository,
    notificationChannel: channel,
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
  };
};
