import type { Instant, JobHandler, JobPayload, JobQueue, JobWorker } from '@palimpsest/core';
import type { JobStore } from '@palimpsest/job-store';
import { AgendaWorker, dateNotBefore, wallClock, type WorkerTimes } from './agenda-worker.ts';

/** The times of a queue. Each has a default. */
export type AgendaJobQueueOptions = Partial<WorkerTimes>;

const DEFAULTS: WorkerTimes = {
  lockLifetimeMs: 45_000, // when a worker crashes, another one runs its job after this time
  heartbeatMs: 10_000, // so short that a lock survives several late or failed renewals
  pollMs: 500, // finds jobs that became due, or that another process added
  retryAfterErrorMs: 5_000,
  clock: wallClock,
};

const KIND = /^[a-z][a-z-]*$/;

/** A job queue that runs the jobs of a {@link JobStore} with Agenda. It uses no resources while no worker runs. */
export class AgendaJobQueue implements JobQueue {
  readonly #store: JobStore;
  readonly #times: WorkerTimes;
  readonly #workers = new Set<AgendaWorker>();

  constructor(store: JobStore, options: AgendaJobQueueOptions = {}) {
    this.#store = store;
    this.#times = { ...DEFAULTS, ...options };
  }

  async enqueue(kind: string, payload: JobPayload, notBefore?: Instant): Promise<void> {
    if (!KIND.test(kind)) throw new TypeError(`Not a kind of jobs: ${kind}`);
    const nextRunAt = notBefore === undefined ? new Date() : dateNotBefore(notBefore, this.#times.clock);
    await this.#store.add(kind, JSON.stringify(payload), nextRunAt.getTime());
    for (const worker of this.#workers) worker.wake(kind); // other processes find it when they poll
  }

  async work(
    handlers: Readonly<Record<string, JobHandler>>,
    onError: (error: unknown, kind: string) => void,
  ): Promise<JobWorker> {
    const worker = new AgendaWorker(this.#store, this.#times, handlers, onError);
    await worker.start();
    this.#workers.add(worker);
    return {
      stop: async (graceMs) => {
        this.#workers.delete(worker);
        await worker.stop(graceMs);
      },
    };
  }
}
