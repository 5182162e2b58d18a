import { plusMs, type Clock, type Instant, type JobHandler, type JobOutcome, type JobWorker } from '@palimpsest/core';
import { Agenda, type AgendaBackend, type Job } from 'agenda';
import { guardedBackend } from './guarded-backend.ts';
import { HeldJobs, type HeldJob } from './held-jobs.ts';
import { payloadOf, type JobData } from './job-data.ts';
import { WakeChannel } from './wake-channel.ts';

/** The times of a worker, in milliseconds, and their clock. */
export interface WorkerTimes {
  readonly lockLifetimeMs: number;
  readonly heartbeatMs: number;
  readonly lookEveryMs: number;
  readonly retryAfterErrorMs: number;
  readonly clock: Clock; // of the moments that jobs are put off to
}

/** What a worker works on and what it tells. */
export interface WorkerTask {
  readonly handlers: Readonly<Record<string, JobHandler>>;
  readonly onError: (error: unknown, kind: string) => void;
  readonly onStopped: () => Promise<void>;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock by which Agenda goes. */
export const wallClock: Clock = { now: () => Date.now() * 1_000 };

/**
 * The first whole millisecond, the unit of Agenda, that is not before `instant`, a moment by `clock`. That clock may be
 * ahead of Agenda's, as one that never goes back is after the wall clock was set back: by so many whole seconds the job
 * runs earlier.
 */
export const dateNotBefore = (instant: Instant, clock: Clock): Date => {
  const secondsAhead = Math.max(Math.floor((clock.now() - wallClock.now()) / 1_000_000), 0);
  return new Date(Math.ceil(instant / 1_000) - secondsAhead * 1_000);
};

/** Runs jobs on an Agenda of its own, from {@link start} to {@link stop}. */
export class AgendaWorker implements JobWorker {
  readonly #times: WorkerTimes;
  readonly #task: WorkerTask;
  readonly #held: HeldJobs;
  readonly #channel: WakeChannel;
  readonly #agenda: Agenda;
  readonly #running = new Map<AbortController, Promise<void>>();
  #stopping = false;
  #stopped: Promise<void> | undefined;

  constructor(backend: AgendaBackend, times: WorkerTimes, task: WorkerTask) {
    this.#times = times;
    this.#task = task;
    this.#held = new HeldJobs(backend.repository, { ...times, report: task.onError });
    this.#channel = new WakeChannel(backend.notificationChannel);
    this.#agenda = this.#agendaOn(backend);
  }

  /** Begins to take jobs. */
  async start(): Promise<void> {
    await this.#agenda.start();
  }

  /** Has the worker look for jobs of the kind soon. */
  wake(kind: string): void {
    this.#channel.wake(kind);
  }

  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  #agendaOn(backend: AgendaBackend): Agenda {
    const { handlers, onError } = this.#task;
    const kinds = Object.keys(handlers);
    const mayTake = (kind: string) => this.#held.count(kind) < (handlers[kind]?.concurrency ?? 0);
    const agenda = new Agenda({
      backend: guardedBackend(backend, { held: this.#held, channel: this.#channel, mayTake }),
      processEvery: this.#times.lookEveryMs,
      maxConcurrency: Object.values(handlers).reduce((sum, handler) => sum + handler.concurrency, 1),
    });
    // Errors of jobs never come here, as they end in `#run`; what does is Agenda's own and of no kind in particular.
    agenda.on('error', (error) => onError(error, kinds.join(',')));
    for (const [kind, handler] of Object.entries(handlers)) {
      // Agenda keeps a timer of half this lifetime for each job that ran, which would hold the process up after a stop.
      const limits = {
        concurrency: handler.concurrency,
        lockLimit: handler.concurrency,
        lockLifetime: this.#times.lookEveryMs,
      };
      // oxlint-disable-next-line typescript/no-misused-promises -- Agenda awaits it, by another overload than the one found first
      agenda.define<JobData>(kind, (job) => this.#take(kind, handler, job), limits);
      // A job that ends makes Agenda start one that is locked already, but not look for one in the store.
      agenda.on(`complete:${kind}`, () => this.#channel.wake(kind));
    }
    return agenda;
  }

  async #take(kind: string, handler: JobHandler, { attrs }: Job<JobData>): Promise<void> {
    const held = attrs._id === undefined ? undefined : this.#held.get(attrs._id);
    // What is locked and not begun when the worker stops is given back by `#stop`.
    if (!held || this.#stopping) return;
    held.begun = true;
    const controller = new AbortController();
    const ended = this.#run(held, handler, attrs.data, controller.signal);
    this.#running.set(controller, ended);
    try {
      await ended;
    } catch (error) {
      this.#task.onError(error, kind);
    } finally {
      this.#running.delete(controller);
    }
  }

  async #run(held: HeldJob, handler: JobHandler, data: JobData, signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const alive = this.#held.keepAlive(held, ended.signal);
    let outcome: JobOutcome;
    try {
      outcome = await handler.run({ payload: payloadOf(data), signal });
    } catch (error) {
      outcome = { retryAt: plusMs(this.#times.clock.now(), this.#times.retryAfterErrorMs) };
      this.#task.onError(error, held.kind);
    }
    // A heartbeat under way would lock the job anew.
    ended.abort();
    await alive;
    if (outcome === 'done') await this.#held.finish(held);
    else await this.#held.putOff(held, dateNotBefore(outcome.retryAt, this.#times.clock));
  }

  async #stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const given = this.#held.close();
    await this.#agenda.stop(false);
    const finished = Promise.all(this.#running.values());
    await Promise.race([finished, this.#grace(graceMs, finished)]);
    for (const controller of this.#running.keys()) {
      controller.abort(new Error('The worker is told to stop'));
    }
    this.#held.hurry();
    await Promise.allSettled([finished, given]);
    await this.#task.onStopped();
  }

  async #grace(ms: number, finished: Promise<unknown>): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
      void finished.finally(() => clearTimeout(timer));
    });
  }
}
