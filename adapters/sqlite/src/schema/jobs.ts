/**
 * The jobs of `@palimpsest/agenda`. Times are in milliseconds. The record of a job is JSON and contains its payload;
 * records of version 0.1.0 contain further fields, which are ignored. Each lock has a new `lock_token`, so a worker
 * that lost its lock cannot change the job.
 */
export const jobsSchema = `
CREATE TABLE agenda_jobs (
  job_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  priority REAL NOT NULL,
  next_run_at_ms INTEGER,
  locked_at_ms INTEGER,
  lock_token TEXT,
  disabled INTEGER NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX agenda_jobs_due ON agenda_jobs (name, next_run_at_ms, priority DESC) WHERE locked_at_ms IS NULL;
CREATE INDEX agenda_jobs_locked ON agenda_jobs (name, locked_at_ms) WHERE locked_at_ms IS NOT NULL;
CREATE INDEX agenda_jobs_by_name ON agenda_jobs (name, type);
`;
