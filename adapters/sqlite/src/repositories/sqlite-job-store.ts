import { randomUUID } from 'node:crypto';
import type { JobLock, JobStore, LockedJob } from '@palimpsest/job-store';
import type { Database } from '../database.ts';

interface LockedRow {
  readonly job_id: string;
  readonly type: string;
  readonly payload: string;
}

const recordOf = (payload: string): string => JSON.stringify({ data: { json: payload } });

const DUE = `
  SELECT job_id FROM agenda_jobs INDEXED BY agenda_jobs_due
  WHERE name = ? AND locked_at_ms IS NULL AND next_run_at_ms <= ?
  ORDER BY next_run_at_ms, priority DESC, rowid LIMIT 1`;

/** The jobs of a job queue in SQLite. */
export class SqliteJobStore implements JobStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(kind: string, payload: string, nextRunAtMs: number): Promise<void> {
    await this.#database.write(() => this.#insert(kind, 'normal', recordOf(payload), nextRunAtMs));
  }

  async addRecurring(kind: string, nowMs: number, latestMs: number): Promise<void> {
    await this.#database.write(() => {
      const moved = this.#database.run(
        `UPDATE agenda_jobs SET next_run_at_ms = min(next_run_at_ms, ?) WHERE name = ? AND type = 'single'`,
        latestMs,
        kind,
      );
      if (moved === 0) this.#insert(kind, 'single', recordOf('{}'), nowMs);
    });
  }

  async lockNext(kind: string, token: string, nowMs: number): Promise<LockedJob | undefined> {
    // Most calls find no due job. A read is cheaper than a write, because it does not wait for other writers.
    const found = await this.#database.read(() => this.#database.one(DUE, kind, nowMs));
    if (found === undefined) return undefined;
    const row = await this.#database.write(() =>
      this.#database.one<LockedRow>(
        `UPDATE agenda_jobs SET lock_token = ?, locked_at_ms = ? WHERE job_id = (${DUE})
         RETURNING job_id, type, record ->> '$.data.json' AS payload`,
        token,
        nowMs,
        kind,
        nowMs,
      ),
    );
    return row && { id: row.job_id, payload: row.payload, isRecurring: row.type === 'single' };
  }

  renew({ id, token }: JobLock, nowMs: number): Promise<boolean> {
    return this.#changes('UPDATE agenda_jobs SET locked_at_ms = ? WHERE job_id = ? AND lock_token = ?', [
      nowMs,
      id,
      token,
    ]);
  }

  release({ id, token }: JobLock, nextRunAtMs?: number): Promise<boolean> {
    return this.#changes(
      `UPDATE agenda_jobs SET lock_token = NULL, locked_at_ms = NULL, next_run_at_ms = coalesce(?, next_run_at_ms)
       WHERE job_id = ? AND lock_token = ?`,
      [nextRunAtMs ?? null, id, token],
    );
  }

  remove({ id, token }: JobLock): Promise<boolean> {
    return this.#changes('DELETE FROM agenda_jobs WHERE job_id = ? AND lock_token = ?', [id, token]);
  }

  async releaseExpired(kinds: readonly string[], lockedBeforeMs: number): Promise<void> {
    await this.#changes(
      `UPDATE agenda_jobs SET lock_token = NULL, locked_at_ms = NULL
       WHERE name IN (SELECT value FROM json_each(?)) AND locked_at_ms <= ?`,
      [JSON.stringify(kinds), lockedBeforeMs],
    );
  }

  #insert(kind: string, type: 'normal' | 'single', record: string, nextRunAtMs: number): void {
    this.#database.run(
      `INSERT INTO agenda_jobs (job_id, name, type, priority, next_run_at_ms, disabled, record)
       VALUES (?, ?, ?, 0, ?, 0, ?)`,
      randomUUID(),
      kind,
      type,
      nextRunAtMs,
      record,
    );
  }

  async #changes(sql: string, values: readonly (string | number | null)[]): Promise<boolean> {
    return (await this.#database.write(() => this.#database.run(sql, ...values))) > 0;
  }
}
