import { AppError } from '@palimpsest/core';

/**
 * Runs at most `maxRunning` tasks at once and lets at most `maxWaiting` others wait, in the order of the calls. Beyond
 * that throws `SERVICE_UNAVAILABLE` at once.
 */
export class BoundedQueue {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#maxRunning) {
      this.#running++;
    } else if (this.#waiting.length < this.#maxWaiting) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve)); // is given the place of the task that ended
    } else {
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        'Too many people are signing in at the moment. Try again in a few seconds.',
      );
    }
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
