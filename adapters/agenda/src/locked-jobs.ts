import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { toJobId, type JobId, type JobParameters, type JobRepository } from 'agenda';
import type { JobLock, JobStore } from './job-store.ts';

/** What {@link LockedJobs} needs to know of a worker. */
export interface LockRules {
  readonly handlers: Readonly<Record<string, { readonly concurrency: number; readonly everyMs?: number }>>;
  readonly lockLifetimeMs: number;
  readonly onError: (error: unknown, kind: string) => void;
  /** Makes Agenda look for jobs of the kind again. */
  readonly lookAgain: (kind: string) => void;
}

/** A lock, or the wish for one: without an `id` the store is still being asked. */
interface Hold {
  readonly kind: string;
  id?: string;
  isStarted?: true;
  isEnding?: true;
  isLost?: true;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;
const MAX_RETRIES_AFTER_CLOSE_MS = 10_000;

// Agenda stops waiting for a job whose `lockedAt` is old. Here the store decides which locks have expired, so Agenda
// gets a time that never becomes old.
const NEVER_EXPIRES = new Date(8.64e15);

const refused = (method: string) => (): Promise<never> =>
  Promise.reject(new Error(`This job queue does not support ${method} of Agenda's job repository`));

/**
 * The jobs that one worker has locked, as the job repository of its Agenda. Agenda knows a job by the token of its lock,
 * so that each run has a separate id. Only the methods by which Agenda runs jobs are supported.
 *
 * Three weak points of Agenda are handled here. Agenda ignores an error when it stores the end of a run, and an error of
 * `unlockJob` ends the process: so {@link endRun} stores the end, and these writes are retried until they succeed. A job
 * that is fetched while Agenda stops would stay locked: so it is released.
 */
export class LockedJobs implements JobRepository {
  readonly #store: JobStore;
  readonly #rules: LockRules;
  readonly #holds = new Map<string, Hold>(); // by token
  readonly #allEnded = Promise.withResolvers<void>();
  readonly #wokenKinds = new Set<string>(); // since the last time that the store was asked
  #isClosed = false;
  #isStoreFailing = false;
  #failures = 0;

  constructor(store: JobStore, rules: LockRules) {
    this.#store = store;
    this.#rules = rules;
  }

  /** Stores a recurring job: Agenda saves no others here. */
  async saveJob<DATA = unknown>(job: JobParameters<DATA>): Promise<JobParameters<DATA>> {
    const nowMs = Date.now();
    await this.#store.addRecurring(job.name, nowMs, nowMs + Number(job.repeatInterval));
    return job;
  }

  /** Locks the next due job of the kind, unless as many are locked as the handler may run. */
  async getNextJobToRun(kind: string): Promise<JobParameters | undefined> {
    const handler = this.#rules.handlers[kind];
    const taken = this.#holds.values().filter((hold) => hold.kind === kind);
    if (this.#isClosed || handler === undefined || [...taken].length >= handler.concurrency) return undefined;
    const token = randomUUID();
    const hold: Hold = { kind };
    this.#holds.set(token, hold);
    try {
      this.#wokenKinds.delete(kind);
      const failures = this.#failures;
      const job = await this.#store.lockNext(kind, token, Date.now());
      this.#noteSuccess(failures);
      if (job !== undefined) {
        hold.id = job.id;
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
      // If the store did lock a job, that lock expires.
      this.#reportOnce(error, kind);
    }
    this.#forget(token);
    // Agenda ignores a notification of a kind for which it is already looking, although the job may be too new to be found.
    setImmediate(() => {
      if (this.#wokenKinds.has(kind)) this.#rules.lookAgain(kind);
    });
    return undefined;
  }

  /** Notes that a job of the kind may have been added. Call it before Agenda is notified. */
  noteWake(kind: string): void {
    this.#wokenKinds.add(kind);
  }

  /** Nothing has to be stored at the start of a run, because the job is locked; {@link endRun} stores the end. */
  saveJobState({ _id }: JobParameters): Promise<void> {
    const hold = _id && this.#holds.get(_id);
    if (hold) hold.isStarted = true;
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
    const unstarted = [...this.#holds].filter(([, hold]) => hold.isStarted !== true);
    await Promise.all(unstarted.map(([token]) => this.#release(token)));
  }

  /** Renews all locks, and ends those of workers that did not renew theirs for the lifetime of a lock. */
  async renewAll(): Promise<void> {
    const kinds = Object.keys(this.#rules.handlers);
    const failures = this.#failures;
    try {
      await Promise.all([...this.#holds].map(([token, hold]) => this.#renew(token, hold)));
      await this.#store.releaseExpired(kinds, Date.now() - this.#rules.lockLifetimeMs);
      this.#noteSuccess(failures);
    } catch (error) {
      this.#reportOnce(error, kinds.join());
    }
  }

  /** Locks no more jobs. */
  close(): void {
    this.#isClosed = true;
    if (this.#holds.size === 0) this.#allEnded.resolve();
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

  async #renew(token: string, hold: Hold): Promise<void> {
    if (hold.id === undefined || hold.isLost) return;
    if ((await this.#store.renew({ id: hold.id, token }, Date.now())) || hold.isEnding) return;
    hold.isLost = true;
    this.#rules.onError(
      new Error('The lock of a running job was lost; another worker may run the job again'),
      hold.kind,
    );
  }

  #release(token: string): Promise<void> {
    return this.#end(token, (lock) => this.#store.release(lock));
  }

  async #end(token: string, write: (lock: JobLock) => Promise<unknown>): Promise<void> {
    const hold = this.#holds.get(token);
    if (hold?.id === undefined || hold.isEnding) return;
    hold.isEnding = true;
    const startedAt = performance.now();
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, MAX_RETRY_MS)) {
      const failures = this.#failures;
      try {
        await write({ id: hold.id, token });
        this.#noteSuccess(failures);
        break;
      } catch (error) {
        this.#reportOnce(error, hold.kind);
        if (this.#isClosed && performance.now() - startedAt > MAX_RETRIES_AFTER_CLOSE_MS) break; // the lock expires
      }
      await delay(waitMs);
    }
    this.#forget(token);
  }

  #forget(token: string): void {
    this.#holds.delete(token);
    if (this.#isClosed && this.#holds.size === 0) this.#allEnded.resolve();
  }

  /** A call that began before the last failure does not prove that the store is back. */
  #noteSuccess(failuresBefore: number): void {
    if (this.#failures === failuresBefore) this.#isStoreFailing = false;
  }

  #reportOnce(error: unknown, kind: string): void {
    this.#failures++;
    if (!this.#isStoreFailing) this.#rules.onError(error, kind);
    this.#isStoreFailing = true;
  }
}
