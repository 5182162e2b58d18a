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

/** Without a clock the moments are the machine's. */
const machineClock: Clock = { now: () => Date.now() * 1000 };

/** How a queue in memory keeps time. */
export interface MemoryJobQueueRules {
  readonly clock?: Clock; // for due times; the machine's, if there is none
  readonly pollMs?: number; // how often due times are looked at, where a clock is given
  readonly retryMs?: number; // how long a job rests whose handler threw
}

/**
 * Jobs in memory. The longest due runs first. Nothing here keeps a process alive: a worker waits with timers that are
 * unreferenced.
 */
export class MemoryJobQueue implements JobQueue {
  readonly #store: MemoryStore;
  readonly #clock: Clock;
  readonly #retryMs: number;
  readonly #pollMs: number;

  constructor(store: MemoryStore, { clock = machineClock, pollMs = 10, retryMs = 2_000 }: MemoryJobQueueRules = {}) {
    this.#store = store;
    this.#clock = clock;
    this.#retryMs = retryMs;
    this.#pollMs = pollMs;
  }

  async enqueue(kind: string, payload: JobPayload, notBefore?: Instant): Promise<void> {
    if (!KIND.test(kind)) throw new TypeError('The kind of a job is lowercase letters and hyphens');
    this.#store.jobs.add({
      kind,
      payload: structuredClone(payload),
      notBefore: notBefore ?? this.#clock.now(),
      running: false,
    });
    for (const tell of this.#store.jobListeners) tell();
  }

  async countWaiting(kind: string): Promise<number> {
    return [...this.#store.jobs].filter((job) => job.kind === kind && !job.running).length;
  }

  async countDue(kind: string): Promise<number> {
    const now = this.#clock.now();
    return [...this.#store.jobs].filter((job) => job.kind === kind && !job.running && job.notBefore <= now).length;
  }

  async work(
    handlers: Readonly<Record<string, JobHandler>>,
    onError: (error: unknown, kind: string) => void,
  ): Promise<JobWorker> {
    const store = this.#store;
    const abort = new AbortController();
    const running = new Set<Promise<void>>();
    const places = new Map(Object.entries(handlers).map(([kind, handler]) => [kind, handler.concurrency]));

    const putBack = (job: StoredJob, notBefore: Instant): void => {
      job.notBefore = notBefore;
      job.running = false;
    };

    const run = async (job: StoredJob, handler: JobHandler): Promise<void> => {
      try {
        const outcome = await handler.run({ payload: structuredClone(job.payload), signal: abort.signal });
        if (outcome === 'done') store.jobs.delete(job);
        else putBack(job, outcome.retryAt);
      } catch (error) {
        putBack(job, plusMs(this.#clock.now(), this.#retryMs));
        onError(error, job.kind);
      }
    };

    const begin = (job: StoredJob, handler: JobHandler): void => {
      job.running = true;
      places.set(job.kind, (places.get(job.kind) ?? 0) - 1);
      const task = run(job, handler).finally(() => {
        places.set(job.kind, (places.get(job.kind) ?? 0) + 1);
        running.delete(task);
        // Not at once: a job that comes back without end would let nothing else have a turn.
        setImmediate(() => {
          for (const tell of store.jobListeners) tell();
        });
      });
      running.add(task);
    };

    const beginDue = (): void => {
      const now = this.#clock.now();
      const due = [...store.jobs]
        .filter((job) => !job.running && job.notBefore <= now)
        .sort((a, b) => a.notBefore - b.notBefore);
      for (const job of due) {
        const handler = Object.hasOwn(handlers, job.kind) ? handlers[job.kind] : undefined;
        if (handler !== undefined && (places.get(job.kind) ?? 0) > 0) begin(job, handler);
      }
    };

    store.jobListeners.add(beginDue);
    const timer = setInterval(beginDue, this.#pollMs).unref();
    beginDue();
    return {
      stop: async (graceMs) => {
        store.jobListeners.delete(beginDue);
        clearInterval(timer);
        const ended = Promise.allSettled(running);
        const grace = setTimeout(() => abort.abort(new Error('The worker is stopping')), graceMs);
        await ended;
        clearTimeout(grace);
      },
    };
  }
}
