/** A job that a worker has locked. `token` is new for each lock, so a worker that lost its lock cannot change the job. */
export interface JobLock {
  readonly id: string;
  readonly token: string;
}

/** What a worker learns of a job when it locks it. */
export interface LockedJob {
  readonly id: string;
  readonly payload: string; // JSON
  readonly isRecurring: boolean;
}

/**
 * Keeps the jobs of {@link AgendaJobQueue}; the adapters for SQLite and MongoDB implement it. Times are milliseconds
 * since the epoch. Every write is atomic, and durable before it resolves. Methods that take a {@link JobLock} return
 * `false`, and change nothing, if that lock is no longer in force.
 */
export interface JobStore {
  /** Adds a job that is not locked. */
  add(kind: string, payload: string, nextRunAtMs: number): Promise<void>;
  /**
   * Adds the one recurring job of the kind, due at `nowMs`, with the payload `{}`. If it exists already, its next run
   * is moved forward to `latestMs` if it is later, and nothing else changes.
   */
  addRecurring(kind: string, nowMs: number, latestMs: number): Promise<void>;
  /** Locks the job of the kind that is not locked and is due for the longest time; `undefined` if none is due. */
  lockNext(kind: string, token: string, nowMs: number): Promise<LockedJob | undefined>;
  /** Sets the time of the lock to `nowMs`. */
  renew(lock: JobLock, nowMs: number): Promise<boolean>;
  /** Ends the lock. The job runs next at `nextRunAtMs`; without it, its time does not change. */
  release(lock: JobLock, nextRunAtMs?: number): Promise<boolean>;
  /** Removes the job. */
  remove(lock: JobLock): Promise<boolean>;
  /** Ends the locks on jobs of these kinds that were last renewed at `lockedBeforeMs` or before. */
  releaseExpired(kinds: readonly string[], lockedBeforeMs: number): Promise<void>;
}
