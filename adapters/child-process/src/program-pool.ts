import { AppError, FairSemaphore, linkedController, type LinkedController } from '@palimpsest/core';
import type { ProgramResult } from './program-result.ts';
import { runProgram } from './run-program.ts';
import type { ProgramCall } from './run-program.ts';

const OWNER = 'programs'; // with only one owner, the semaphore serves callers in the order of their calls

/** Runs programs, at most `slots` at a time. The timeout of a call starts when its program starts. */
export class ProgramPool {
  readonly #semaphore: FairSemaphore;
  readonly #running = new Map<LinkedController, Promise<ProgramResult>>();
  #closed: AppError | undefined;

  /** `slots` is 1 or more. */
  constructor(slots: number) {
    this.#semaphore = new FairSemaphore({ slots });
  }

  /**
   * Waits for a slot, then runs the program with {@link runProgram}. Throws the signal's reason when the signal aborts,
   * and `SERVICE_UNAVAILABLE` when the pool is closed, even while the program runs.
   */
  run(call: ProgramCall): Promise<ProgramResult> {
    return this.#semaphore.run(OWNER, () => this.#runUntilClosed(call), call.signal);
  }

  /** Rejects the waiting callers, kills the running programs and waits until they have ended. Safe to repeat. */
  async close(): Promise<void> {
    this.#closed ??= new AppError('SERVICE_UNAVAILABLE', 'The service is shutting down. The page will be read later.');
    this.#semaphore.close(this.#closed);
    for (const controller of this.#running.keys()) controller.abort(this.#closed);
    await Promise.allSettled(this.#running.values());
  }

  async #runUntilClosed(call: ProgramCall): Promise<ProgramResult> {
    if (this.#closed) throw this.#closed; // the slot was granted just before the pool was closed
    const controller = linkedController(call.signal);
    const work = runProgram({ ...call, signal: controller.signal });
    this.#running.set(controller, work);
    try {
      return await work;
    } finally {
      this.#running.delete(controller);
      controller.unlink();
    }
  }
}
