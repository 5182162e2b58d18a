import {
  plusMs,
  type Clock,
  type Instant,
  type JobHandler,
  type JobPayload,
  type JobQueue,
  type JobWorker,
} from '@palimpsest/core';
import type { MemoryStore, StoredJob } from './memory-store.ts';

const KIND = /^[a-z][a-z-]*$/;

/** The times of a {@link MemoryJobQueue}. */
export interface MemoryJobQueueRules {
  readonly clock: Clock; // decides which jobs are due
  readonly pollMs?: number; // the interval in real time at which the queue looks for due jobs
  readonly retryMs?: number; // back-off after a handler threw, by `clock`
}

/**
 * Jobs in memory. The job that has been due for the longest time runs first. A worker does not keep the process alive.
 */
export class MemoryJobQueue implements JobQueue {
  readonly #store: MemoryStore;
  readonly #clock: Clock;
  readonly #retryMs: number;
  readonly #pollMs: number;

  constructor(store: MemoryStore, { clock, pollMs = 10, retryMs = 2_000 }: MemoryJobQueueRules) {
    this.#store = store;
    this.#clock = clock;
    this.#retryMs = retryMs;
    this.#pollMs = pollMs;
  }

  async enqueue(kind: string, payload: JobPayload, notBefore?: Instant): Promise<void> {
    if (!KIND.test(kind)) throw new TypeError('The kind of a job may contain only lowercase letters and hyphens');
    this.#store.jobs.add({
      kind,
      payload: structuredClone(payload),
      isRecurring: false,
      notBefore: notBefore ?? this.#clock.now(),
      running: false,
    });
    this.#notifyWorkers();
  }

  /** For tests: the number of waiting jobs of this kind, due or not, without the recurring job. */
  async countWaiting(kind: string): Promise<number> {
    return [...this.#store.jobs].filter((job) => job.kind === kind && !job.isRecurring && !job.running).length;
  }

  async work(
    handlers: Readonly<Record<string, JobHandler>>,
    onError: (error: unknown, kind: string) => void,
  ): Promise<JobWorker> {
    const store = this.#store;
    const abort = new AbortController();
    const running = new Set<Promise<void>>();
    const freeSlots = new Map(Object.entries(handlers).map(([kind, handler]) => [kind, handler.concurrency]));

    const putBack = (job: StoredJob, notBefore: Instant): void => {
      job.notBefore = notBefore;
      job.running = false;
    };

    const run = async (job: StoredJob, handler: JobHandler): Promise<void> => {
      const startedAt = this.#clock.now();
      try {
        const outcome = await handler.run({ payload: structuredClone(job.payload), signal: abort.signal });
        if (outcome !== 'done') putBack(job, outcome.retryAt);
        else if (job.isRecurring && handler.everyMs !== undefined) putBack(job, plusMs(startedAt, handler.everyMs));
        else store.jobs.delete(job);
      } catch (error) {
        putBack(job, plusMs(this.#clock.now(), this.#retryMs));
        onError(error, job.kind);
      }
    };

    const start = (job: StoredJob, handler: JobHandler): void => {
      job.running = true;
      freeSlots.set(job.kind, (freeSlots.get(job.kind) ?? 0) - 1);
      const task = run(job, handler).finally(() => {
        freeSlots.set(job.kind, (freeSlots.get(job.kind) ?? 0) + 1);
        running.delete(task);
        // In a later turn of the event loop, so that a job that is always due again does not block it.
        setImmediate(() => this.#notifyWorkers());
      });
      running.add(task);
    };

    const startDue = (): void => {
      const now = this.#clock.now();
      const due = [...store.jobs]
        .filter((job) => !job.running && job.notBefore <= now)
        .sort((a, b) => a.notBefore - b.notBefore);
      for (const job of due) {
        const handler = Object.hasOwn(handlers, job.kind) ? handlers[job.kind] : undefined;
        if (handler !== undefined && (freeSlots.get(job.kind) ?? 0) > 0) start(job, handler);
      }
    };

    for (const [kind, { everyMs }] of Object.entries(handlers))
      if (everyMs !== undefined) this.#addRecurring(kind, everyMs);
    store.jobListeners.add(startDue);
    const timer = setInterval(startDue, this.#pollMs).unref();
    startDue();
    return {
      stop: async (graceMs) => {
        store.jobListeners.delete(startDue);
        clearInterval(timer);
        const ended = Promise.allSettled(running);
        const grace = setTimeout(() => abort.abort(new Error('The worker is stopping')), graceMs);
        await ended;
        clearTimeout(grace);
      },
    };
  }

  #addRecurring(kind: string, everyMs: number): void {
    const now = this.#clock.now();
    const known = [...this.#store.jobs].find((job) => job.isRecurring && job.kind === kind);
    if (known) known.notBefore = Math.min(known.notBefore, plusMs(now, everyMs));
    else this.#store.jobs.add({ kind, payload: {}, isRecurring: true, notBefore: now, running: false });
  }

  #notifyWorkers(): void {
    for (const notify of this.#store.jobListeners) notify();
  }
}
