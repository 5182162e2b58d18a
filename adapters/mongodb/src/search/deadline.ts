import { AppError } from '@palimpsest/core';
import { MongoServerError } from 'mongodb';

const MAX_TIME_EXPIRED = 50;

/** The error of a search that exceeds its time limit. */
export const searchTimeout = (cause?: unknown): AppError =>
  new AppError('VALIDATION_ERROR', 'q: this search takes too long. Use fewer or rarer words.', { cause });

/** Whether the server stopped a command that exceeded `maxTimeMS`. */
export const isTimeLimitError = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;

/** The time by which a search must end. */
export class Deadline {
  readonly #end: number;

  constructor(ms: number) {
    this.#end = performance.now() + ms;
  }

  /** The remaining time as a whole number, at least 1. Throws `VALIDATION_ERROR` after the deadline. */
  remainingMs(): number {
    const remaining = this.#end - performance.now();
    if (remaining <= 0) throw searchTimeout();
    return Math.ceil(remaining);
  }
}
