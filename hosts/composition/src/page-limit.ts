import type { TaskLimit } from '@palimpsest/core';
import pLimit, { type LimitFunction } from 'p-limit';

/** Lets a fixed number of tasks run at once in this process. */
export class ProcessTaskLimit implements TaskLimit {
  readonly #limit: LimitFunction;

  constructor(concurrency: number) {
    this.#limit = pLimit(concurrency);
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    return this.#limit(task);
  }
}
