import { AppError } from '@palimpsest/core';

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Makes the errors for a task that another process runs. */
export interface PageFailures {
  readonly timedOut: (timeoutMs: number) => AppError;
  readonly outOfMemory: (limitBytes: number) => AppError;
  /** `cause` is for the log. */
  readonly crashed: (cause: string) => AppError;
}

/** Makes the errors for a task that reads `subject`, for example `Page 3`. */
export const failuresOf = (subject: string): PageFailures => ({
  timedOut: (timeoutMs) => {
    const seconds = Math.max(1, Math.round(timeoutMs / 1000));
    return new AppError('PAGE_TIMED_OUT', `${capitalized(subject)} could not be read within ${seconds} s.`);
  },
  outOfMemory: (limitBytes) => {
    const megabytes = Math.round(limitBytes / 1e6);
    const message = `${capitalized(subject)} needs more than ${megabytes} MB of memory to be read.`;
    return new AppError('PAGE_OUT_OF_MEMORY', message);
  },
  crashed: (cause) => {
    const message = `The program that reads ${uncapitalized(subject)} stopped unexpectedly.`;
    return new AppError('ENGINE_CRASHED', message, { cause: new Error(cause) });
  },
});
