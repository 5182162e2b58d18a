import { randomUUID } from 'node:crypto';
import {
  computeJobState,
  type JobId,
  type JobParameters,
  type JobRepository,
  type JobRepositoryOptions,
  type JobsOverview,
  type JobsQueryOptions,
  type JobsResult,
  type RemoveJobsOptions,
} from 'agenda';
import type { Database } from '../database.ts';
import { debounced } from './debounce.ts';
import type { JobNotices } from './job-notices.ts';
import { COUNT_BY_STATE, comparing, overviewOf } from './job-query.ts';
import { jobOf, lockedUnder, lockTokenOf, over, withoutProcessorFields, type JobRow } from './job-record.ts';
import { JobTable } from './job-table.ts';

const modifiedBy = (options: JobRepositoryOptions | undefined) =>
  options?.lastModifiedBy === undefined ? {} : { lastModifiedBy: options.lastModifiedBy };

/**
 * Agenda's jobs in SQLite. Unlike the other stores of Agenda this one knows stale holders: what a worker saves under a
 * lock that was meanwhile given to another one is refused, and what it removes under one stays.
 */
export class SqliteJobRepository implements JobRepository {
  readonly #database: Database;
  readonly #notices: JobNotices;
  readonly #jobs: JobTable;

  constructor(database: Database, notices: JobNotices) {
    this.#database = database;
    this.#notices = notices;
    this.#jobs = new JobTable(database);
  }

  async connect(): Promise<void> {
    await this.getQueueSize();
  }

  async queryJobs(options: JobsQueryOptions = {}): Promise<JobsResult> {
    const { search, state, includeDisabled = true, sort, skip = 0, limit = 0, ...criteria } = options;
    const now = new Date();
    const rows = await this.#database.read(() => this.#jobs.select(criteria));
    const found = rows
      .map(jobOf)
      .filter((job) => search === undefined || job.name.toLowerCase().includes(search.toLowerCase()))
      .filter((job) => includeDisabled || job.disabled !== true)
      .map((job) => ({ ...job, state: job.disabled === true ? ('paused' as const) : computeJobState(job, now) }))
      .filter((job) => state === undefined || job.state === state)
      .sort(comparing(sort));
    return { jobs: found.slice(skip, limit > 0 ? skip + limit : undefined), total: found.length };
  }

  async getJobsOverview(): Promise<JobsOverview[]> {
    const rows = await this.#database.read(() =>
      this.#database.all<Parameters<typeof overviewOf>[0][number]>(COUNT_BY_STATE, Date.now()),
    );
    return overviewOf(rows);
  }

  async getDistinctJobNames(): Promise<string[]> {
    const rows = await this.#database.read(() =>
      this.#database.all<{ name: string }>('SELECT DISTINCT name FROM agenda_jobs ORDER BY name'),
    );
    return rows.map((row) => row.name);
  }

  async getJobById(id: string): Promise<JobParameters | null> {
    const row = await this.#database.read(() => this.#jobs.find(id));
    return row ? jobOf(row) : null;
  }

  async getQueueSize(): Promise<number> {
    const row = await this.#database.read(() =>
      this.#database.one<{ count: number }>(
        'SELECT count(*) AS count FROM agenda_jobs WHERE next_run_at_ms < ?',
        Date.now(),
      ),
    );
    return row?.count ?? 0;
  }

  /** Removes the jobs meant. One that was handed out locked, given as it was, goes only while that lock is in force. */
  removeJobs(options: RemoveJobsOptions): Promise<number> {
    const token = lockTokenOf(options);
    return this.#forEach(options, (row) =>
      token === undefined || row.lock_token === token ? this.#jobs.remove(row.job_id) : 0,
    );
  }

  disableJobs(options: RemoveJobsOptions): Promise<number> {
    return this.#setDisabled(options, true);
  }

  enableJobs(options: RemoveJobsOptions): Promise<number> {
    return this.#setDisabled(options, false);
  }

  purgeAllJobs(): Promise<number> {
    return this.#database.write(() => this.#database.run('DELETE FROM agenda_jobs'));
  }

  async saveJob<DATA = unknown>(
    job: JobParameters<DATA>,
    options: JobRepositoryOptions | undefined,
  ): Promise<JobParameters<DATA>> {
    const saved = await this.#database.write(() => this.#save(job, options));
    this.#tell(saved);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- data as the caller gave it, or as it is stored under that name
    return saved as JobParameters<DATA>;
  }

  /**
   * Stores the state of a job. Throws if the job is gone, or if the lock under which it was handed out is not in force
   * any more, whoever holds the job now; without one it throws while anybody holds the job.
   */
  async saveJobState(job: JobParameters, options: JobRepositoryOptions | undefined): Promise<void> {
    const token = lockTokenOf(job) ?? null;
    await this.#database.write(() => {
      const row = this.#jobs.find(job._id);
      if (row === undefined || row.lock_token !== token) {
        throw new Error(
          `The state of job ${job._id ?? ''} (${job.name}) was not saved: it is gone or held by another worker`,
        );
      }
      const { lockedAt, nextRunAt, lastRunAt, lastFinishedAt, failedAt, failCount, failReason, progress } = job;
      const state = { lockedAt, nextRunAt, lastRunAt, lastFinishedAt, failedAt, failCount, failReason, progress };
      this.#jobs.update(row.job_id, over(jobOf(row), { ...state, ...modifiedBy(options) }), lockedAt ? token : null);
    });
  }

  /** Locks a job that nobody holds and that is still to run at `job.nextRunAt`. */
  lockJob(job: JobParameters, options: JobRepositoryOptions | undefined): Promise<JobParameters | undefined> {
    return this.#database.write(() => {
      const row = this.#jobs.find(job._id);
      if (row === undefined) return undefined;
      const stored = jobOf(row);
      const sameMoment = stored.nextRunAt?.getTime() === job.nextRunAt?.getTime();
      if (stored.name !== job.name || stored.lockedAt || stored.disabled === true || !sameMoment) return undefined;
      return this.#lock(row, new Date(), options);
    });
  }

  /** Releases the lock under which `job` was handed out; the lock of another worker is left alone. */
  async unlockJob(job: JobParameters): Promise<void> {
    const token = lockTokenOf(job);
    await this.#unlock(
      job._id === undefined ? [] : [job._id],
      (row) => token === undefined || row.lock_token === token,
    );
  }

  async unlockJobs(jobIds: (JobId | string)[]): Promise<void> {
    await this.#unlock(jobIds, () => true);
  }

  async getNextJobToRun(
    jobName: string,
    nextScanAt: Date,
    lockDeadline: Date,
    now: Date = new Date(),
    options?: JobRepositoryOptions,
  ): Promise<JobParameters | undefined> {
    const find = () => this.#jobs.findNext(jobName, nextScanAt, lockDeadline);
    // Most looks find nothing, and need not wait for those who write.
    if ((await this.#database.read(find)) === undefined) return undefined;
    return this.#database.write(() => {
      const row = find();
      return row && this.#lock(row, now, options);
    });
  }

  /** The names of jobs that nobody holds and that are due by `moment`, each with the id of one of them. */
  async namesDue(moment: Date): Promise<readonly { readonly name: string; readonly id: string }[]> {
    return this.#database.read(() =>
      this.#database.all<{ name: string; id: string }>(
        `SELECT name, min(job_id) AS id FROM agenda_jobs
         WHERE locked_at_ms IS NULL AND next_run_at_ms <= ? AND disabled = 0 GROUP BY name`,
        moment.getTime(),
      ),
    );
  }

  #save(given: JobParameters, options: JobRepositoryOptions | undefined): JobParameters {
    const { _id, unique, uniqueOpts, ...fields } = given;
    const job: JobParameters = { ...fields, ...modifiedBy(options) };
    if (_id !== undefined) {
      const row = this.#jobs.find(_id);
      return row && jobOf(row).name === job.name ? this.#saveOver(row, job) : given;
    }
    const now = new Date();
    if (job.type === 'single') {
      const row = this.#jobs.findSingle(job.name);
      if (!row) return this.#jobs.insert(job);
      // A moment that has come is that of a new job, not a change of the next run of the one that is there.
      return this.#saveOver(
        row,
        job.nextRunAt && job.nextRunAt <= now ? { ...job, nextRunAt: jobOf(row).nextRunAt } : job,
      );
    }
    if (unique === undefined) return this.#jobs.insert(job);
    const row = this.#jobs.findUnique(job.name, unique);
    if (row && uniqueOpts?.insertOnly === true) return jobOf(row);
    const timed = uniqueOpts?.debounce
      ? over(job, debounced(uniqueOpts.debounce, job.nextRunAt, row && jobOf(row), now))
      : job;
    return row ? this.#saveOver(row, timed) : this.#jobs.insert(timed);
  }

  #saveOver(row: JobRow, job: JobParameters): JobParameters {
    return this.#jobs.update(row.job_id, over(jobOf(row), withoutProcessorFields(job)), row.lock_token);
  }

  #lock(row: JobRow, now: Date, options: JobRepositoryOptions | undefined): JobParameters {
    const token = randomUUID();
    return lockedUnder(
      this.#jobs.update(row.job_id, { ...jobOf(row), lockedAt: now, ...modifiedBy(options) }, token),
      token,
    );
  }

  async #unlock(ids: readonly string[], wanted: (row: JobRow) => boolean): Promise<void> {
    const unlocked = await this.#database.write(() =>
      ids
        .map((id) => this.#jobs.find(id))
        .filter((row) => row !== undefined)
        .filter(wanted)
        .map((row) => this.#jobs.update(row.job_id, over(jobOf(row), { lockedAt: undefined }), null)),
    );
    for (const job of unlocked) this.#tell(job);
  }

  #tell({ _id, name, nextRunAt, priority }: JobParameters): void {
    if (!nextRunAt || _id === undefined) return;
    this.#notices.tell({ jobId: _id, jobName: name, nextRunAt, priority, timestamp: new Date() });
  }

  #setDisabled(options: RemoveJobsOptions, disabled: boolean): Promise<number> {
    return this.#forEach(options, (row) => {
      this.#jobs.update(row.job_id, { ...jobOf(row), disabled }, row.lock_token);
      return 1;
    });
  }

  #forEach(options: RemoveJobsOptions, change: (row: JobRow) => number): Promise<number> {
    // Without any criterion nothing is meant, least of all everything.
    const meant = Object.values(options).some((value) =>
      Array.isArray(value) ? value.length > 0 : value !== undefined,
    );
    if (!meant) return Promise.resolve(0);
    return this.#database.write(() => this.#jobs.select(options).reduce((sum, row) => sum + change(row), 0));
  }
}
