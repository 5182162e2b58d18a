import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, type Instant, type JobHandler, type JobWorker } from '@palimpsest/core';
import type { JobStore } from '@palimpsest/job-store';
import { Agenda, InMemoryNotificationChannel, toJobId, type Job } from 'agenda';
import { LockedJobs } from './locked-jobs.ts';

/** The times of a worker, in milliseconds, and the clock to which the instants of callers refer. */
export interface WorkerTimes {
  readonly lockLifetimeMs: number;
  readonly heartbeatMs: number;
  readonly pollMs: number;
  readonly retryAfterErrorMs: number;
  readonly clock: Clock;
}

type Handlers = Readonly<Record<string, JobHandler>>;
type OnError = (error: unknown, kind: string) => void;

const MAX_TIMER_MS = 2 ** 31 - 1;

/** The wall clock. The times of stored jobs refer to it. */
export const wallClock: Clock = { now: () => Date.now() * 1_000 };

/**
 * Converts `instant` of `clock` to a date of the wall clock, rounded up to a whole millisecond. After the wall clock
 * was set back, `clock` may be ahead of it. Then the date is earlier by the difference, in whole seconds.
 */
export const dateNotBefore = (instant: Instant, clock: Clock): Date => {
  const secondsAhead = Math.max(Math.floor((clock.now() - wallClock.now()) / 1_000_000), 0);
  return new Date(Math.ceil(instant / 1_000) - secondsAhead * 1_000);
};

/** Runs jobs in a separate Agenda, from {@link start} to {@link stop}. */
export class AgendaWorker implements JobWorker {
  readonly #handlers: Handlers;
  readonly #times: WorkerTimes;
  readonly #onError: OnError;
  readonly #jobs: LockedJobs;
  readonly #channel = new InMemoryNotificationChannel();
  readonly #agenda: Agenda;
  readonly #running = new Set<AbortController>();
  #heartbeat: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(store: JobStore, times: WorkerTimes, handlers: Handlers, onError: OnError) {
    this.#times = times;
    this.#handlers = handlers;
    this.#onError = onError;
    this.#jobs = new LockedJobs(store, {
      handlers,
      onError,
      lockLifetimeMs: times.lockLifetimeMs,
      lookAgain: (kind) => this.wake(kind),
    });
    this.#agenda = this.#createAgenda();
  }

  /** Stores the recurring jobs and starts to run jobs. */
  async start(): Promise<void> {
    for (const [kind, { everyMs }] of Object.entries(this.#handlers))
      if (everyMs !== undefined) await this.#agenda.every(everyMs, kind);
    await this.#agenda.start();
    this.#heartbeat = setInterval(() => this.#renewLocks(), this.#times.heartbeatMs);
    this.#renewLocks();
  }

  /** Makes Agenda look for jobs of the kind now. Without it, Agenda finds them at its next poll. */
  wake(kind: string): void {
    if (this.#channel.state !== 'connected') return;
    this.#jobs.noteWake(kind);
    void this.#channel.publish({
      jobId: toJobId(''),
      jobName: kind,
      nextRunAt: null,
      priority: 0,
      timestamp: new Date(),
    });
  }

  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  #createAgenda(): Agenda {
    const agenda = new Agenda({
      backend: {
        name: 'JobStore',
        repository: this.#jobs,
        ownsConnection: false,
        connect: () => Promise.resolve(),
        disconnect: () => Promise.resolve(),
      },
      notificationChannel: this.#channel,
      processEvery: this.#times.pollMs,
      maxConcurrency: Infinity, // each kind has its own limit
    });
    // These are errors of Agenda itself. `#callHandler` catches the errors of handlers.
    agenda.on('error', (error) => this.#onError(error, Object.keys(this.#handlers).join()));
    // After a job, Agenda starts only a job that is locked already. It does not look for the next one in the store.
    agenda.on('complete', ({ attrs }: Job) => setImmediate(() => this.wake(attrs.name)));
    for (const [kind, handler] of Object.entries(this.#handlers)) {
      // oxlint-disable-next-line typescript/no-misused-promises -- Agenda awaits it; lint finds another overload first
      agenda.define<string>(kind, (job) => this.#run(handler, job), {
        concurrency: handler.concurrency,
        lockLimit: handler.concurrency,
        lockLifetime: this.#times.pollMs, // a timer of half this time keeps the process alive after a job
      });
    }
    return agenda;
  }

  async #run(handler: JobHandler, job: Job<string>): Promise<void> {
    if (this.#stopped === undefined) await this.#callHandler(handler, job);
    else job.schedule(new Date());
    await this.#jobs.endRun(job.attrs);
  }

  async #callHandler(handler: JobHandler, job: Job<string>): Promise<void> {
    const controller = new AbortController();
    this.#running.add(controller);
    try {
      const outcome = await handler.run({ payload: JSON.parse(job.attrs.data), signal: controller.signal });
      // Agenda has set the next run of a recurring job already.
      if (outcome !== 'done') job.schedule(dateNotBefore(outcome.retryAt, this.#times.clock));
    } catch (error) {
      job.schedule(new Date(Date.now() + this.#times.retryAfterErrorMs));
      this.#onError(error, job.attrs.name);
    } finally {
      this.#running.delete(controller);
    }
  }

  // Only one round of renewals runs at a time, because a slow store may need longer than a heartbeat interval.
  #renewLocks(): void {
    this.#renewing ??= this.#jobs.renewAll().finally(() => (this.#renewing = undefined));
  }

  async #stop(graceMs: number): Promise<void> {
    this.#jobs.close();
    await this.#agenda.stop();
    await nextTurn(); // Agenda may have received a job that it no longer runs; `releaseUnstarted` releases it
    await this.#jobs.releaseUnstarted();
    const grace = setTimeout(
      () => {
        for (const controller of this.#running) controller.abort(new Error('The worker is stopping'));
      },
      Math.min(graceMs, MAX_TIMER_MS),
    );
    await this.#jobs.allEnded;
    clearTimeout(grace);
    clearInterval(this.#heartbeat);
    await this.#renewing;
  }
}
