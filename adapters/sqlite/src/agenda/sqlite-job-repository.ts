import { randomUUID } from 'node:crypto';
import {
  computeJobState,
  type JobId,
  type JobNotification,
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
import { jobOf, lockedUnder, lockTokenOf, matches, recordOf, throughJson, valueAt, type JobRow } from './job-record.ts';
import { COUNT_BY_STATE, comparing, overviewOf, whereOf } from './job-query.ts';

// What the processor of jobs alone writes; a saved job never changes it in a job that is there.
const PROCESSOR_FIELDS: ReadonlySet<string> = new Set([
  'lockedAt',
  'lastRunAt',
  'lastFinishedAt',
  'failedAt',
  'failCount',
  'failReason',
  'progress',
]);

const COLUMNS = 'job_id, record, lock_token';

const msOf = (date: Date | null | undefined): number | null => (date ? new Date(date).getTime() : null);

// A field that is there and undefined is cleared, as JSON leaves it out.
const over = (job: JobParameters, change: { [K in keyof JobParameters]?: JobParameters[K] | undefined }): JobParameters =>
  Object.assign({ ...job }, change);

const noticeOf = (job: JobParameters, jobId: JobId): JobNotification => ({
  jobId,
  jobName: job.name,
  nextRunAt: job.nextRunAt,
  priority: job.priority,
  timestamp: new Date(),
});

const modifiedBy = (options: JobRepositoryOptions | undefined) =>
  options?.lastModifiedBy === undefined ? {} : { lastModifiedBy: options.lastModifiedBy };

/**
 * Agenda's jobs in SQLite. Unlike the other stores of Agenda this one knows stale holders: what a worker saves under a
 * lock that was meanwhile given to another one is refused.
 */
export class SqliteJobRepository implements JobRepository {
  readonly #database: Database;
  readonly #notices: JobNotices;

  constructor(database: Database, notices: JobNotices) {
    this.#database = database;
    this.#notices = notices;
  }

  async connect(): Promise<void> {
    await this.getQueueSize();
  }

  async queryJobs(options: JobsQueryOptions = {}): Promise<JobsResult> {
    const { id, ids, name, names, search, data, state, includeDisabled = true, sort, skip = 0, limit = 0 } = options;
    const now = new Date();
    const { where, values } = whereOf({ id, ids, name, names });
    const rows = await this.#database.read(() => this.#database.all<JobRow>(`SELECT ${COLUMNS} FROM agenda_jobs ${where}`, ...values));
    const expected = throughJson(data);
    const found = rows
      .map(jobOf)
      .filter((job) => search === undefined || job.name.toLowerCase().includes(search.toLowerCase()))
      .filter((job) => expected === undefined || matches(job.data, expected))
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
    const row = await this.#database.read(() => this.#row(id));
    return row ? jobOf(row) : null;
  }

  async getQueueSize(): Promise<number> {
    const row = await this.#database.read(() =>
      this.#database.one<{ count: number }>('SELECT count(*) AS count FROM agenda_jobs WHERE next_run_at_ms < ?', Date.now()),
    );
    return row?.count ?? 0;
  }

  removeJobs(options: RemoveJobsOptions): Promise<number> {
    return this.#forEach(options, (id) => this.#database.run('DELETE FROM agenda_jobs WHERE job_id = ?', id));
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
      const row = job._id === undefined ? undefined : this.#row(job._id);
      if (row === undefined || row.lock_token !== token) {
        throw new Error(`The state of job ${job._id ?? ''} (${job.name}) was not saved: it is gone or held by another worker`);
      }
      const state = {
        lockedAt: job.lockedAt,
        nextRunAt: job.nextRunAt,
        lastRunAt: job.lastRunAt,
        lastFinishedAt: job.lastFinishedAt,
        failedAt: job.failedAt,
        failCount: job.failCount,
        failReason: job.failReason,
        progress: job.progress,
      };
      this.#update(row.job_id, over(jobOf(row), { ...state, ...modifiedBy(options) }), job.lockedAt ? token : null);
    });
  }

  /** Locks a job that nobody holds and that is still to run at `job.nextRunAt`. */
  lockJob(job: JobParameters, options: JobRepositoryOptions | undefined): Promise<JobParameters | undefined> {
    return this.#database.write(() => {
      const row = job._id === undefined ? undefined : this.#row(job._id);
      if (row === undefined) return undefined;
      const stored = jobOf(row);
      const sameMoment = msOf(stored.nextRunAt) === msOf(job.nextRunAt);
      if (stored.name !== job.name || stored.lockedAt || stored.disabled === true || !sameMoment) return undefined;
      return this.#lock(row, new Date(), options);
    });
  }

  /** Releases the lock under which `job` was handed out; the lock of another worker is left alone. */
  async unlockJob(job: JobParameters): Promise<void> {
    const token = lockTokenOf(job);
    await this.#unlock(job._id === undefined ? [] : [job._id], (row) => token === undefined || row.lock_token === token);
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
    const find = () => this.#nextToRun(jobName, nextScanAt.getTime(), lockDeadline.getTime());
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

  #nextToRun(name: string, dueByMs: number, lockDeadlineMs: number): JobRow | undefined {
    // Two looks at two indexes: jobs whose holder died come first, as they have waited the longest.
    return (
      this.#database.one<JobRow>(
        `SELECT ${COLUMNS} FROM agenda_jobs INDEXED BY agenda_jobs_locked
         WHERE name = ? AND locked_at_ms <= ? AND disabled = 0 ORDER BY locked_at_ms LIMIT 1`,
        name,
        lockDeadlineMs,
      ) ??
      this.#database.one<JobRow>(
        `SELECT ${COLUMNS} FROM agenda_jobs INDEXED BY agenda_jobs_due
         WHERE name = ? AND locked_at_ms IS NULL AND next_run_at_ms <= ? AND disabled = 0
         ORDER BY next_run_at_ms, priority DESC LIMIT 1`,
        name,
        dueByMs,
      )
    );
  }

  #row(id: string): JobRow | undefined {
    return this.#database.one<JobRow>(`SELECT ${COLUMNS} FROM agenda_jobs WHERE job_id = ?`, id);
  }

  #save(given: JobParameters, options: JobRepositoryOptions | undefined): JobParameters {
    const { _id, unique, uniqueOpts, ...fields } = given;
    const job: JobParameters = { ...fields, ...modifiedBy(options) };
    if (_id !== undefined) {
      const row = this.#row(_id);
      return row && jobOf(row).name === job.name ? this.#saveOver(row, job) : given;
    }
    const now = new Date();
    if (job.type === 'single') {
      const row = this.#database.one<JobRow>(`SELECT ${COLUMNS} FROM agenda_jobs WHERE name = ? AND type = 'single'`, job.name);
      if (!row) return this.#insert(job);
      // A moment that has come is that of a new job, not a change of the next run of the one that is there.
      return this.#saveOver(row, job.nextRunAt && job.nextRunAt <= now ? { ...job, nextRunAt: jobOf(row).nextRunAt } : job);
    }
    if (unique === undefined) return this.#insert(job);
    const row = this.#matching(job.name, unique);
    if (row && uniqueOpts?.insertOnly === true) return jobOf(row);
    const timed = uniqueOpts?.debounce
      ? over(job, debounced(uniqueOpts.debounce, job.nextRunAt, row && jobOf(row), now))
      : job;
    return row ? this.#saveOver(row, timed) : this.#insert(timed);
  }

  #matching(name: string, unique: Record<string, unknown>): JobRow | undefined {
    const expected = Object.entries(unique).map(([path, value]) => [path, throughJson(value)] as const);
    return this.#database
      .all<JobRow>(`SELECT ${COLUMNS} FROM agenda_jobs WHERE name = ? ORDER BY job_id`, name)
      .find((row) => expected.every(([path, value]) => matches(valueAt(jobOf(row), path), value)));
  }

  #insert(job: JobParameters): JobParameters {
    const id = randomUUID();
    this.#database.run(
      `INSERT INTO agenda_jobs (job_id, name, type, priority, next_run_at_ms, locked_at_ms, lock_token, disabled, record)
       VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?)`,
      id,
      job.name,
      job.type,
      job.priority,
      msOf(job.nextRunAt),
      msOf(job.lockedAt),
      Number(job.disabled === true),
      recordOf(job),
    );
    return jobOf({ job_id: id, record: recordOf(job), lock_token: null });
  }

  #saveOver(row: JobRow, job: JobParameters): JobParameters {
    const own = Object.fromEntries(Object.entries(job).filter(([name]) => !PROCESSOR_FIELDS.has(name)));
    return this.#update(row.job_id, over(jobOf(row), own), row.lock_token);
  }

  #update(id: string, job: JobParameters, lockToken: string | null): JobParameters {
    const record = recordOf(job);
    this.#database.run(
      `UPDATE agenda_jobs SET name = ?, type = ?, priority = ?, next_run_at_ms = ?, locked_at_ms = ?, lock_token = ?,
       disabled = ?, record = ? WHERE job_id = ?`,
      job.name,
      job.type,
      job.priority,
      msOf(job.nextRunAt),
      msOf(job.lockedAt),
      lockToken,
      Number(job.disabled === true),
      record,
      id,
    );
    return jobOf({ job_id: id, record, lock_token: lockToken });
  }

  #lock(row: JobRow, now: Date, options: JobRepositoryOptions | undefined): JobParameters {
    const token = randomUUID();
    return lockedUnder(this.#update(row.job_id, { ...jobOf(row), lockedAt: now, ...modifiedBy(options) }, token), token);
  }

  async #unlock(ids: readonly string[], wanted: (row: JobRow) => boolean): Promise<void> {
    const unlocked = await this.#database.write(() =>
      ids
        .map((id) => this.#row(id))
        .filter((row) => row !== undefined)
        .filter(wanted)
        .map((row) => this.#update(row.job_id, over(jobOf(row), { lockedAt: undefined }), null)),
    );
    for (const job of unlocked) this.#tell(job);
  }

  #tell(job: JobParameters): void {
    if (job.nextRunAt && job._id !== undefined) this.#notices.tell(noticeOf(job, job._id));
  }

  #setDisabled(options: RemoveJobsOptions, disabled: boolean): Promise<number> {
    return this.#forEach(options, (id) => {
      const row = this.#row(id);
      if (!row) return 0;
      this.#update(id, { ...jobOf(row), disabled }, row.lock_token);
      return 1;
    });
  }

  #forEach(options: RemoveJobsOptions, change: (id: string) => number): Promise<number> {
    const { data, ...rest } = options;
    const { where, values } = whereOf(rest);
    // Without any criterion nothing is meant, least of all everything.
    if (where === '' && data === undefined) return Promise.resolve(0);
    const expected = throughJson(data);
    return this.#database.write(() => {
      const rows = this.#database.all<JobRow>(`SELECT ${COLUMNS} FROM agenda_jobs ${where}`, ...values);
      const meant = rows.filter((row) => expected === undefined || matches(jobOf(row).data, expected));
      return meant.reduce((sum, row) => sum + change(row.job_id), 0);
    });
  }
}
