import { toJobId, type JobId, type JobParameters, type RemoveJobsOptions } from 'agenda';
import type { ObjectId } from 'mongodb';

/**
 * Under this key a job that was handed out locked carries the token of its lock. A symbol: Agenda copies it along with the
 * job's attributes and gives it back with them, and `toJson` leaves it out of what a user saves.
 */
const lock: unique symbol = Symbol('lock token');

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** A job as it is stored. What it lacks is not there or `null`. */
export interface JobDocument extends Partial<Nullable<Omit<JobParameters, '_id' | 'name' | 'type' | 'priority'>>> {
  readonly _id: ObjectId;
  readonly name: string;
  readonly type: JobParameters['type'];
  readonly priority: number;
  readonly lockToken?: string | null; // of the lock that is in force
}

export type LockedJob = JobParameters & { readonly _id: JobId; readonly [lock]?: string };

/** The token of the lock under which `job` was handed out, `undefined` if it was not. */
export const lockTokenOf = (
  job: (JobParameters | RemoveJobsOptions) & { readonly [lock]?: string },
): string | undefined => job[lock];

/** The job in a document. */
export const jobOf = ({ _id, name, type, priority, data, nextRunAt = null, ...rest }: JobDocument): LockedJob => {
  const own = Object.entries(rest).filter(
    ([field, value]) => field !== 'lockToken' && value !== null && value !== undefined,
  );
  return { ...Object.fromEntries(own), _id: toJobId(_id.toHexString()), name, type, priority, data, nextRunAt };
};

/** The job in a document as it is handed out to the holder of the lock with this token. */
export const lockedUnder = (document: JobDocument, token: string): LockedJob => ({ ...jobOf(document), [lock]: token });

/** What the processor of jobs writes of a job. What it lacks is cleared. */
export const stateOf = (job: JobParameters): Partial<JobDocument> => ({
  lockedAt: job.lockedAt ?? null,
  nextRunAt: job.nextRunAt ?? null,
  lastRunAt: job.lastRunAt ?? null,
  lastFinishedAt: job.lastFinishedAt ?? null,
  failedAt: job.failedAt ?? null,
  failCount: job.failCount ?? null,
  failReason: job.failReason ?? null,
  progress: job.progress ?? null,
});
