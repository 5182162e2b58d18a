import { AppError } from '@palimpsest/core';
import type { Cancellation } from '@palimpsest/core';
import { runProgram } from './run-program.ts';
import type { ProgramCall, ProgramResult } from './run-program.ts';

/** Runs programs, no more than `atOnce` at a time; the others wait their turn. The time of a call counts from its start. */
export class Programs {
  #free: number;
  readonly #waiting = new Set<() => void>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  /** `atOnce` is 1 or more. */
  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** As {@link runProgram}. Waiting ends with the signal's reason if it aborts. `SERVICE_UNAVAILABLE` once this is closed. */
  async run(call: ProgramCall): Promise<ProgramResult> {
    await this.#takePlace(call.signal);
    const leaving = new AbortController();
    const onAbort = (): void => leaving.abort(call.signal.reason);
    const onClose = (): void => leaving.abort(this.#closing.signal.reason);
    call.signal.addEventListener('abort', onAbort, { once: true });
    this.#closing.signal.addEventListener('abort', onClose, { once: true });
    if (call.signal.aborted) onAbort(); // since the place was handed over
    if (this.#closing.signal.aborted) onClose();
    const work = runProgram({ ...call, signal: leaving.signal });
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
      call.signal.removeEventListener('abort', onAbort);
      this.#closing.signal.removeEventListener('abort', onClose);
      this.#givePlace();
    }
  }

  /** Kills what runs, refuses what waits, and waits until all is gone. Safe to repeat. */
  async close(): Promise<void> {
    this.#closing.abort(
      new AppError('SERVICE_UNAVAILABLE', 'The service is shutting down. The page will be read later.'),
    );
    await Promise.allSettled(this.#running);
  }

  async #takePlace(signal: Cancellation): Promise<void> {
    signal.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => reject(signal.reason);
    const onClose = (): void => reject(this.#closing.signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#closing.signal.addEventListener('abort', onClose, { once: true });
    this.#waiting.add(resolve);
    try {
      await promise;
    } catch (error) {
      if (!this.#waiting.delete(resolve)) this.#givePlace(); // it was handed over already
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#closing.signal.removeEventListener('abort', onClose);
    }
  }

  /** Gives a place on to whom it is due, so that nobody who comes now overtakes. */
  #givePlace(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
