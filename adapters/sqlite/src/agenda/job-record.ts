import { isDeepStrictEqual } from 'node:util';
import {
  datefields,
  toJobId,
  type JobId,
  type JobParameters,
  type RemoveJobsOptions,
  type TJobDatefield,
} from 'agenda';

/**
 * Under this key a job that was handed out locked carries the token of its lock. A symbol: Agenda copies it along with the
 * job's attributes and gives it back with them, and `toJson` leaves it out of what a user saves.
 */
const lock: unique symbol = Symbol('lock token');

/** A row of `agenda_jobs`. */
export interface JobRow {
  readonly job_id: string;
  readonly record: string;
  readonly lock_token: string | null;
}

export type StoredJob = JobParameters & { readonly [lock]?: string };

/** The token of the lock under which `job` was handed out, `undefined` if it was not. */
export const lockTokenOf = (
  job: (JobParameters | RemoveJobsOptions) & { readonly [lock]?: string },
): string | undefined => job[lock];

const dateNames: ReadonlySet<string> = new Set(datefields);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A job as it is stored. Its own dates become milliseconds; what JSON cannot hold in `data` is changed as JSON does. */
export const recordOf = (job: JobParameters): string => {
  const own = Object.entries(job).filter(([name]) => name !== '_id' && name !== 'unique' && name !== 'uniqueOpts');
  return JSON.stringify(
    Object.fromEntries(
      own.map(([name, value]) => [
        name,
        dateNames.has(name) && value !== null && value !== undefined ? new Date(value).getTime() : value,
      ]),
    ),
  );
};

/** The job in a row, without the token of its lock. */
export const jobOf = (row: JobRow): JobParameters & { readonly _id: JobId } => {
  const job: JobParameters & Record<TJobDatefield, unknown> = JSON.parse(row.record);
  const dates = datefields
    .filter((name) => typeof job[name] === 'number')
    .map((name) => [name, new Date(Number(job[name]))]);
  return { ...job, ...Object.fromEntries(dates), _id: toJobId(row.job_id) };
};

/** `job` as it is handed out to the holder of a lock. */
export const lockedUnder = (job: JobParameters, token: string): StoredJob => ({ ...job, [lock]: token });

/** Whether `actual` has all that `expected` has: objects in part, everything else as it is. */
export const matches = (actual: unknown, expected: unknown): boolean => {
  if (!isRecord(expected)) return isDeepStrictEqual(actual, expected);
  return isRecord(actual) && Object.entries(expected).every(([key, value]) => matches(actual[key], value));
};

/** `value` as it comes back from JSON. */
export const throughJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** The value at a path such as `data.userId`. */
export const valueAt = (job: JobParameters, path: string): unknown => {
  let value: unknown = job;
  for (const key of path.split('.')) value = isRecord(value) ? value[key] : undefined;
  return value;
};

/** `job` with the fields of `change` instead of its own. One that is there and undefined is cleared, as JSON leaves it out. */
export const over = (
  job: JobParameters,
  change: { [K in keyof JobParameters]?: JobParameters[K] | undefined },
): JobParameters => Object.assign({ ...job }, change);

const PROCESSOR_FIELDS: ReadonlySet<string> = new Set([
  'lockedAt',
  'lastRunAt',
  'lastFinishedAt',
  'failedAt',
  'failCount',
  'failReason',
  'progress',
]);

/** `job` without what only the processor of jobs writes: saving a job that is there never changes it. */
export const withoutProcessorFields = (job: JobParameters): Partial<JobParameters> =>
  Object.fromEntries(Object.entries(job).filter(([name]) => !PROCESSOR_FIELDS.has(name)));
