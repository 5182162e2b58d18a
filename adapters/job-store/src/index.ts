/** A lock on a job. `token` is new for each lock, so a worker that lost its lock cannot change the job. */
export interface JobLock {
  readonly id: string;
  readonly token: string;
}

/** The job that a call of {@link JobStore.lockNext} has locked. */
export interface LockedJob {
  readonly id: string;
  readonly payload: string; // JSON
  readonly isRecurring: boolean;
}

/**
 * Keeps the jobs of a job queue; the adapters for SQLite and MongoDB implement it. Times are milliseconds
 * since the epoch. Every write is atomic, and durable before it resolves. Methods that take a {@link JobLock} return
 * `false`, and change nothing, if that lock has ended.
 */
export interface JobStore {
  /** Adds a job that is not locked. */
  add(kind: string, payload: string, nextRunAtMs: number): Promise<void>;
  /**
   * Adds the one recurring job of the kind, due at `nowMs`, with the payload `{}`. If the job exists already, the
   * only change is that a next run after `latestMs` is set to `latestMs`.
   */
  addRecurring(kind: string, nowMs: number, latestMs: number): Promise<void>;
  /** Locks the unlocked job of the kind that has been due for the longest time; `undefined` if none is due. */
  lockNext(kind: string, token: string, nowMs: number): Promise<LockedJob | undefined>;
  /** Sets the time of the lock to `nowMs`. */
  renew(lock: JobLock, nowMs: number): Promise<boolean>;
  /** Ends the lock. The job runs next at `nextRunAtMs`. Without this argument, its time does not change. */
  release(lock: JobLock, nextRunAtMs?: number): Promise<boolean>;
  /** Removes the job. */
  remove(lock: JobLock): Promise<boolean>;
  /** Ends the locks on jobs of these kinds that were last renewed at `lockedBeforeMs` or before. */
  releaseExpired(kinds: readonly string[], lockedBeforeMs: number): Promise<void>;
}
