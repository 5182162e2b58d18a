import type { JobId, JobParameters, JobRepository } from 'agenda';
import { setTimeout as delay } from 'node:timers/promises';

/** A job under this worker's lock. `job` is as the store gave it, so that a store which knows stale holders knows this one. */
export interface HeldJob {
  readonly id: JobId;
  readonly kind: string;
  readonly job: JobParameters;
  begun: boolean;
  /** The moments that the store may show for our lock: one that was written, or was perhaps. */
  lockedAt: readonly Date[];
}

/** What holding jobs takes. `report` is given an error that was met and is being got over. */
export interface HoldingRules {
  readonly lockLifetimeMs: number;
  readonly heartbeatMs: number;
  readonly report: (error: unknown, kind: string) => void;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;
const LAST_WORDS_MS = 10_000;

/**
 * The jobs that this worker has locked, and what becomes of their locks. A store that cannot be reached for a while is
 * tried again until it can; only a worker that stops gives up after ten seconds, and leaves the lock to run out.
 */
export class HeldJobs {
  readonly #repository: JobRepository;
  readonly #rules: HoldingRules;
  readonly #held = new Map<string, HeldJob>();
  readonly #taking = new Map<Promise<unknown>, string>();
  readonly #failing = new Set<string>();
  #giveUpAt = Infinity;
  #closed = false;

  constructor(repository: JobRepository, rules: HoldingRules) {
    this.#repository = repository;
    this.#rules = rules;
  }

  /** How many jobs of the kind are locked or being locked. */
  count(kind: string): number {
    const taking = this.#taking.values().filter((taken) => taken === kind);
    const held = this.#held.values().filter((job) => job.kind === kind);
    return [...taking, ...held].length;
  }

  get(id: string): HeldJob | undefined {
    return this.#held.get(id);
  }

  /** The jobs whose handlers have not been called. */
  notBegun(): HeldJob[] {
    return [...this.#held.values()].filter((held) => !held.begun);
  }

  /** Locks the next job of the kind that is due, or whose holder has not been heard of for the lifetime of a lock. */
  async take(kind: string): Promise<HeldJob | undefined> {
    if (this.#closed) return undefined;
    const taking = this.#lockNext(kind);
    this.#taking.set(taking, kind);
    const held = await taking;
    this.#taking.delete(taking);
    // What came in while the worker stops is given back by `close`.
    return this.#closed ? undefined : held;
  }

  /** Takes no more jobs, gives back those not begun, and resolves when others can have them. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#taking.keys());
    await Promise.all(this.notBegun().map((held) => this.release(held)));
  }

  /** Gives back a job that was not begun: it is due for everybody as it was. */
  async release(held: HeldJob): Promise<void> {
    if (held.begun || !this.#held.delete(held.id)) return;
    await this.#persist(held, () => this.#repository.unlockJob(held.job));
  }

  /** The job is over. One that another worker holds by now is left to it. */
  async finish(held: HeldJob): Promise<void> {
    // With the lock under which it was given out, and without its data, which stores would compare.
    const { data: _, ...meant } = held.job;
    await this.#persist(held, async () => {
      if (await this.#isOurs(held)) await this.#repository.removeJobs({ ...meant, id: held.id });
    });
    this.#held.delete(held.id);
  }

  /** The job is to run again, by anybody, not before `at`. One that another worker holds by now is left to it. */
  async putOff(held: HeldJob, at: Date): Promise<void> {
    await this.#persist(held, async () => {
      if (!(await this.#isOurs(held))) return;
      const { lockedAt: _, ...unlocked } = held.job;
      await this.#repository.saveJobState({ ...unlocked, nextRunAt: at }, undefined);
    });
    this.#held.delete(held.id);
  }

  /** Keeps the lock alive until `ended` is aborted, and resolves when nothing more will be written. */
  async keepAlive(held: HeldJob, ended: AbortSignal): Promise<void> {
    const retryMs = Math.min(this.#rules.heartbeatMs, 1_000);
    let waitMs = this.#rules.heartbeatMs;
    while (await elapsed(waitMs, ended)) {
      try {
        if (!(await this.#isOurs(held))) {
          this.#rules.report(new Error(`The lock of a job (${held.kind}) was lost while its handler runs`), held.kind);
          return;
        }
        const lockedAt = new Date();
        held.lockedAt = [...held.lockedAt, lockedAt];
        await this.#repository.saveJobState({ ...held.job, lockedAt }, undefined);
        held.lockedAt = [lockedAt];
        this.#failing.delete(held.id);
        waitMs = this.#rules.heartbeatMs;
      } catch (error) {
        this.#reportOnce(held.id, error, held.kind);
        waitMs = retryMs;
      }
    }
    this.#failing.delete(held.id);
  }

  /** From now on a store that cannot be reached is not waited for longer than ten seconds. */
  hurry(): void {
    this.#giveUpAt = performance.now() + LAST_WORDS_MS;
  }

  async #lockNext(kind: string): Promise<HeldJob | undefined> {
    try {
      const now = new Date();
      const deadline = new Date(now.getTime() - this.#rules.lockLifetimeMs);
      const job = await this.#repository.getNextJobToRun(kind, now, deadline, now, undefined);
      this.#failing.delete(kind);
      if (job?._id === undefined) return undefined;
      const held: HeldJob = { id: job._id, kind, job, begun: false, lockedAt: [job.lockedAt ?? now] };
      this.#held.set(held.id, held);
      return held;
    } catch (error) {
      // Agenda looks again soon; the same fault is told once.
      this.#reportOnce(kind, error, kind);
      return undefined;
    }
  }

  // Most stores of Agenda let a stale holder overwrite the lock of another one. The moment of our own lock tells.
  async #isOurs(held: HeldJob): Promise<boolean> {
    const stored = await this.#repository.getJobById(held.id);
    const shown = stored?.lockedAt?.getTime();
    return held.lockedAt.some((moment) => moment.getTime() === shown);
  }

  async #persist(held: HeldJob, write: () => Promise<void>): Promise<void> {
    let waitMs = FIRST_RETRY_MS;
    for (;;) {
      try {
        await write();
        this.#failing.delete(held.id);
        return;
      } catch (error) {
        this.#reportOnce(held.id, error, held.kind);
        if (performance.now() + waitMs > this.#giveUpAt) {
          this.#failing.delete(held.id);
          return;
        }
      }
      await delay(waitMs);
      waitMs = Math.min(waitMs * 2, LAST_RETRY_MS);
    }
  }

  #reportOnce(key: string, error: unknown, kind: string): void {
    if (this.#failing.has(key)) return;
    this.#failing.add(key);
    this.#rules.report(error, kind);
  }
}

/** `true` after `ms`, `false` as soon as `signal` is aborted. */
const elapsed = async (ms: number, signal: AbortSignal): Promise<boolean> => {
  if (signal.aborted) return false;
  return new Promise((resolve) => {
    const end = (result: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(result);
    };
    const onAbort = () => end(false);
    const timer = setTimeout(() => end(true), ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
};
