import { randomUUID } from 'node:crypto';
import type { JobId, JobParameters, RemoveJobsOptions } from 'agenda';
import type { Database } from '../database.ts';
import { whereOf } from './job-query.ts';
import { jobOf, matches, recordOf, throughJson, valueAt, type JobRow } from './job-record.ts';

const COLUMNS = 'job_id, record, lock_token';

const msOf = (date: Date | null | undefined): number | null => (date ? new Date(date).getTime() : null);

/** What is stored of a job, in the order of the columns but for the id. */
const columnsOf = (job: JobParameters, lockToken: string | null) =>
  [
    job.name,
    job.type,
    job.priority,
    msOf(job.nextRunAt),
    msOf(job.lockedAt),
    lockToken,
    Number(job.disabled === true),
    recordOf(job),
  ] as const;

/** The rows of `agenda_jobs`. Every method is called inside a transaction. */
export class JobTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(id: JobId | string | undefined): JobRow | undefined {
    return id === undefined
      ? undefined
      : this.#database.one<JobRow>(`SELECT ${COLUMNS} FROM agenda_jobs WHERE job_id = ?`, id);
  }

  /** The job of type `single` with this name. */
  findSingle(name: string): JobRow | undefined {
    return this.#database.one<JobRow>(`SELECT ${COLUMNS} FROM agenda_jobs WHERE name = ? AND type = 'single'`, name);
  }

  /** The first job of this name that has the values asked for at the paths asked for. */
  findUnique(name: string, unique: Record<string, unknown>): JobRow | undefined {
    const expected = Object.entries(unique).map(([path, value]) => [path, throughJson(value)] as const);
    return this.#database
      .all<JobRow>(`SELECT ${COLUMNS} FROM agenda_jobs WHERE name = ? ORDER BY rowid`, name)
      .find((row) => expected.every(([path, value]) => matches(valueAt(jobOf(row), path), value)));
  }

  /** All jobs that meet the criteria; all there are, if there are none. */
  select({ data, ...criteria }: RemoveJobsOptions): JobRow[] {
    const { where, values } = whereOf(criteria);
    const rows = this.#database.all<JobRow>(`SELECT ${COLUMNS} FROM agenda_jobs ${where}`, ...values);
    const expected = throughJson(data);
    return expected === undefined ? rows : rows.filter((row) => matches(jobOf(row).data, expected));
  }

  /**
   * The next job of this name to be run: one whose holder was not heard of since `lockDeadline`, as it has waited longest,
   * then the one due first, of those the one with the highest priority.
   */
  findNext(name: string, dueBy: Date, lockDeadline: Date): JobRow | undefined {
    return (
      this.#database.one<JobRow>(
        `SELECT ${COLUMNS} FROM agenda_jobs INDEXED BY agenda_jobs_locked
         WHERE name = ? AND locked_at_ms <= ? AND disabled = 0 ORDER BY locked_at_ms LIMIT 1`,
        name,
        lockDeadline.getTime(),
      ) ??
      this.#database.one<JobRow>(
        `SELECT ${COLUMNS} FROM agenda_jobs INDEXED BY agenda_jobs_due
         WHERE name = ? AND locked_at_ms IS NULL AND next_run_at_ms <= ? AND disabled = 0
         ORDER BY next_run_at_ms, priority DESC, rowid LIMIT 1`,
        name,
        dueBy.getTime(),
      )
    );
  }

  insert(job: JobParameters): JobParameters {
    const id = randomUUID();
    this.#database.run(
      `INSERT INTO agenda_jobs (name, type, priority, next_run_at_ms, locked_at_ms, lock_token, disabled, record, job_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...columnsOf(job, null),
      id,
    );
    return jobOf({ job_id: id, record: recordOf(job), lock_token: null });
  }

  update(id: string, job: JobParameters, lockToken: string | null): JobParameters {
    this.#database.run(
      `UPDATE agenda_jobs SET name = ?, type = ?, priority = ?, next_run_at_ms = ?, locked_at_ms = ?, lock_token = ?,
       disabled = ?, record = ? WHERE job_id = ?`,
      ...columnsOf(job, lockToken),
      id,
    );
    return jobOf({ job_id: id, record: recordOf(job), lock_token: lockToken });
  }

  /** Removes a job; gives the number of rows removed. */
  remove(id: string): number {
    return this.#database.run('DELETE FROM agenda_jobs WHERE job_id = ?', id);
  }
}
