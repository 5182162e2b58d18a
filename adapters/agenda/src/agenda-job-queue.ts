import type { Instant, JobHandler, JobPayload, JobQueue, JobWorker } from '@palimpsest/core';
import type { AgendaBackend, JobParameters, JobsOverview } from 'agenda';
import { AgendaWorker, dateNotBefore, wallClock, type WorkerTimes } from './agenda-worker.ts';
import { dataOf } from './job-data.ts';

/** The times of a queue; what is left out has the default. */
export type AgendaJobQueueOptions = Partial<WorkerTimes>;

const DEFAULTS: WorkerTimes = {
  lockLifetimeMs: 45_000, // of a worker that is not heard of any more
  heartbeatMs: 10_000, // well below it, even if a store that went silent is waited for
  lookEveryMs: 500, // for jobs that nobody tells of: put off, or added where the backend has no channel
  retryAfterErrorMs: 5_000,
  clock: wallClock,
};

const KIND = /^[a-z][a-z-]*$/;

/**
 * A job queue on any backend of Agenda. Whoever made the backend disconnects it; a queue that does no work holds nothing
 * but the backend's connection, and looks for nothing.
 */
export class AgendaJobQueue implements JobQueue {
  readonly #backend: AgendaBackend;
  readonly #times: WorkerTimes;
  readonly #workers = new Set<AgendaWorker>();
  #connecting: Promise<void> | undefined;

  constructor(backend: AgendaBackend, options: AgendaJobQueueOptions = {}) {
    this.#backend = backend;
    this.#times = { ...DEFAULTS, ...options };
  }

  async enqueue(kind: string, payload: JobPayload, notBefore?: Instant): Promise<void> {
    if (!KIND.test(kind)) throw new TypeError(`Not a kind of jobs: ${kind}`);
    await this.#connect();
    const nextRunAt = notBefore === undefined ? new Date() : dateNotBefore(notBefore, this.#times.clock);
    const job: JobParameters = { name: kind, type: 'normal', priority: 0, nextRunAt, data: dataOf(payload) };
    await this.#backend.repository.saveJob(job, undefined);
    // Other processes learn of it from the backend's channel, or when they look.
    for (const worker of this.#workers) worker.wake(kind);
  }

  async countWaiting(kind: string): Promise<number> {
    const overview = await this.#overviewOf(kind);
    return overview ? overview.queued + overview.scheduled : 0;
  }

  async countDue(kind: string): Promise<number> {
    return (await this.#overviewOf(kind))?.queued ?? 0;
  }

  async work(
    handlers: Readonly<Record<string, JobHandler>>,
    onError: (error: unknown, kind: string) => void,
  ): Promise<JobWorker> {
    await this.#connect();
    const worker = new AgendaWorker(this.#backend, this.#times, {
      handlers,
      onError,
      onStopped: () => this.#leave(worker),
    });
    this.#workers.add(worker);
    try {
      await worker.start();
    } catch (error) {
      await this.#leave(worker);
      throw error;
    }
    return worker;
  }

  async #overviewOf(kind: string): Promise<JobsOverview | undefined> {
    await this.#connect();
    return (await this.#backend.repository.getJobsOverview()).find(({ name }) => name === kind);
  }

  async #leave(worker: AgendaWorker): Promise<void> {
    this.#workers.delete(worker);
    if (this.#workers.size === 0) await this.#backend.notificationChannel?.disconnect();
  }

  async #connect(): Promise<void> {
    this.#connecting ??= this.#backend.connect();
    try {
      await this.#connecting;
    } catch (error) {
      this.#connecting = undefined;
      throw error;
    }
  }
}
