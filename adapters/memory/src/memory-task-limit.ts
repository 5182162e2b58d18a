import type { TaskLimit } from '@palimpsest/core';

/** At most so many tasks at once, the others in the order in which they came. */
export class MemoryTaskLimit implements TaskLimit {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** `concurrency` is 1 or more. */
  constructor(concurrency: number) {
    if (!(concurrency >= 1)) throw new TypeError('At least one task must be able to run');
    this.#free = concurrency;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      // A place that somebody waits for is handed over, so that nobody who comes now overtakes.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
