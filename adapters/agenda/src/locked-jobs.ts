import { randomUUID } from 'node:crypto';
import type { JobLock, JobStore } from '@palimpsest/job-store';
import { toJobId, type JobId, type JobParameters, type JobRepository } from 'agenda';
import pRetry from 'p-retry';

/** The settings of {@link LockedJobs}. */
export interface LockedJobsOptions {
  readonly handlers: Readonly<Record<string, { readonly concurrency: number; readonly everyMs?: number }>>;
  readonly lockLifetimeMs: number;
  readonly onError: (error: unknown, kind: string) => void;
  /** Makes Agenda look for jobs of the kind again. */
  readonly lookAgain: (kind: string) => void;
}

/** A lock, or a request for one. */
interface Lock {
  readonly kind: string;
  id?: string; // of the job; absent while the store has not answered the request
  isStarted?: true;
  isEnding?: true;
  isLost?: true;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;
const MAX_RETRIES_AFTER_CLOSE_MS = 10_000;

// Agenda stops waiting for a job whose `lockedAt` is old. But the store decides which locks have expired. Therefore
// Agenda gets a time that never becomes old.
const NEVER_EXPIRES = new Date(8.64e15);

const refused = (method: string) => (): Promise<never> =>
  Promise.reject(new Error(`This job queue does not support ${method} of Agenda's job repository`));

/**
 * The jobs that one worker has locked. Its Agenda uses this class as the job repository. Agenda knows a job by the
 * token of its lock, so that each run has a separate id. Only the methods by which Agenda runs jobs are supported.
 *
 * This class compensates for three weaknesses of Agenda. Agenda ignores an error when it stores the end of a run, and
 * an error of `unlockJob` ends the process. Therefore {@link endRun} stores the end, and these writes are retried until
 * they succeed. A job that Agenda receives while it stops would stay locked. Therefore this class releases the job.
 */
export class LockedJobs implements JobRepository {
  readonly #store: JobStore;
  readonly #options: LockedJobsOptions;
  readonly #locks = new Map<string, Lock>(); // by token
  readonly #allEnded = Promise.withResolvers<void>();
  readonly #wokenKinds = new Set<string>(); // since the store was last asked for jobs of the kind
  #isClosed = false;
  #isStoreFailing = false;
  #failures = 0;

  constructor(store: JobStore, options: LockedJobsOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Stores a recurring job. Agenda calls this method for no other job. */
  async saveJob<DATA = unknown>(job: JobParameters<DATA>): Promise<JobParameters<DATA>> {
    const nowMs = Date.now();
    await this.#store.addRecurring(job.name, nowMs, nowMs + Number(job.repeatInterval));
    return job;
  }

  /**
   * Locks the next due job of the kind, unless the number of locked jobs has reached the concurrency of the handler.
   */
  async getNextJobToRun(kind: string): Promise<JobParameters | undefined> {
    const handler = this.#options.handlers[kind];
    const locked = this.#locks.values().filter((lock) => lock.kind === kind);
    if (this.#isClosed || handler === undefined || [...locked].length >= handler.concurrency) return undefined;
    const token = randomUUID();
    const own: Lock = { kind };
    this.#locks.set(token, own);
    try {
      this.#wokenKinds.delete(kind);
      const failures = this.#failures;
      const job = await this.#store.lockNext(kind, token, Date.now());
      this.#noteSuccess(failures);
      if (job !== undefined) {
        own.id = job.id;
        if (this.#isClosed) await this.#release(token);
        else {
          return {
            _id: toJobId(token),
            name: kind,
            type: job.isRecurring ? 'single' : 'normal',
            priority: 0,
            nextRunAt: null, // it is due
            lockedAt: NEVER_EXPIRES,
            data: job.payload,
            ...(job.isRecurring && handler.everyMs !== undefined ? { repeatInterval: handler.everyMs } : {}),
          };
        }
      }
    } catch (error) {
      // If the store has locked a job nevertheless, the lock will expire.
      this.#reportOnce(error, kind);
    }
    this.#forget(token);
    // Agenda ignores a notification while it already looks for jobs of the kind. That look may have missed the new job.
    setImmediate(() => {
      if (this.#wokenKinds.has(kind)) this.#options.lookAgain(kind);
    });
    return undefined;
  }

  /** Notes that a job of the kind may have been added. Call it before Agenda is notified. */
  noteWake(kind: string): void {
    this.#wokenKinds.add(kind);
  }

  /** Nothing has to be stored at the start of a run, because the job is locked; {@link endRun} stores the end. */
  saveJobState({ _id }: JobParameters): Promise<void> {
    const lock = _id && this.#locks.get(_id);
    if (lock) lock.isStarted = true;
    return Promise.resolve();
  }

  /** Stores the end of a run before Agenda sees it: the job runs next at `nextRunAt`, or is done and removed. */
  async endRun({ _id, nextRunAt }: JobParameters): Promise<void> {
    if (_id === undefined) return;
    await this.#end(_id, (lock) =>
      nextRunAt ? this.#store.release(lock, nextRunAt.getTime()) : this.#store.remove(lock),
    );
  }

  async unlockJob({ _id }: JobParameters): Promise<void> {
    if (_id !== undefined) await this.#release(_id);
  }

  async unlockJobs(tokens: (JobId | string)[]): Promise<void> {
    await Promise.all(tokens.map((token) => this.#release(token)));
  }

  /** Releases the jobs whose run has not started. */
  async releaseUnstarted(): Promise<void> {
    const unstarted = [...this.#locks].filter(([, lock]) => lock.isStarted !== true);
    await Promise.all(unstarted.map(([token]) => this.#release(token)));
  }

  /** Renews all locks of this worker, and ends the expired locks of all workers. */
  async renewAll(): Promise<void> {
    const kinds = Object.keys(this.#options.handlers);
    const failures = this.#failures;
    try {
      await Promise.all([...this.#locks].map(([token, lock]) => this.#renew(token, lock)));
      await this.#store.releaseExpired(kinds, Date.now() - this.#options.lockLifetimeMs);
      this.#noteSuccess(failures);
    } catch (error) {
      this.#reportOnce(error, kinds.join());
    }
  }

  /** Stops locking jobs. */
  close(): void {
    this.#isClosed = true;
    if (this.#locks.size === 0) this.#allEnded.resolve();
  }

  /** Resolves after {@link close} when all runs have ended and their ends are stored. */
  get allEnded(): Promise<void> {
    return this.#allEnded.promise;
  }

  readonly connect = (): Promise<void> => Promise.resolve();
  readonly queryJobs = refused('queryJobs');
  readonly getJobsOverview = refused('getJobsOverview');
  readonly getDistinctJobNames = refused('getDistinctJobNames');
  readonly getJobById = refused('getJobById');
  readonly getQueueSize = refused('getQueueSize');
  readonly removeJobs = refused('removeJobs');
  readonly lockJob = refused('lockJob');
  readonly disableJobs = refused('disableJobs');
  readonly enableJobs = refused('enableJobs');
  readonly purgeAllJobs = refused('purgeAllJobs');

  async #renew(token: string, lock: Lock): Promise<void> {
    if (lock.id === undefined || lock.isLost) return;
    if ((await this.#store.renew({ id: lock.id, token }, Date.now())) || lock.isEnding) return;
    lock.isLost = true;
    this.#options.onError(
      new Error('The lock of a running job was lost; another worker may run the job again'),
      lock.kind,
    );
  }

  #release(token: string): Promise<void> {
    return this.#end(token, (lock) => this.#store.release(lock));
  }

  async #end(token: string, write: (lock: JobLock) => Promise<unknown>): Promise<void> {
    const lock = this.#locks.get(token);
    if (lock?.id === undefined || lock.isEnding) return;
    lock.isEnding = true;
    const { id, kind } = lock;
    const startedAt = performance.now();
    const attempt = async (): Promise<void> => {
      const failures = this.#failures;
      await write({ id, token });
      this.#noteSuccess(failures);
    };
    const retrying = pRetry(attempt, {
      retries: Infinity,
      minTimeout: FIRST_RETRY_MS,
      maxTimeout: MAX_RETRY_MS,
      onFailedAttempt: ({ error }) => this.#reportOnce(error, kind),
      shouldRetry: () => !this.#isClosed || performance.now() - startedAt <= MAX_RETRIES_AFTER_CLOSE_MS,
    });
    await retrying.catch(() => undefined); // without a stored end, the lock expires
    this.#forget(token);
  }

  #forget(token: string): void {
    this.#locks.delete(token);
    if (this.#isClosed && this.#locks.size === 0) this.#allEnded.resolve();
  }

  /** A call that began before the last failure does not prove that the store is back. */
  #noteSuccess(failuresBefore: number): void {
    if (this.#failures === failuresBefore) this.#isStoreFailing = false;
  }

  #reportOnce(error: unknown, kind: string): void {
    this.#failures++;
    if (!this.#isStoreFailing) this.#options.onError(error, kind);
    this.#isStoreFailing = true;
  }
}
