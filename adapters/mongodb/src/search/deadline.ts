import { AppError } from '@palimpsest/core';
import { MongoServerError } from 'mongodb';

const MAX_TIME_EXPIRED = 50;

/** What a search is refused with that takes too long. */
export const tooLong = (cause?: unknown): AppError =>
  new AppError('VALIDATION_ERROR', 'q: this search takes too long. Use fewer or rarer words.', { cause });

/** Whether the server says that it has stopped what took too long. */
export const isTimeOver = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;

/** How long a search may go on. */
export class TimeLeft {
  readonly #end: number;

  constructor(ms: number) {
    this.#end = performance.now() + ms;
  }

  /** At least 1, whole. Throws `VALIDATION_ERROR` if there is none. */
  leftMs(): number {
    const left = this.#end - performance.now();
    if (left <= 0) throw tooLong();
    return Math.ceil(left);
  }
}
