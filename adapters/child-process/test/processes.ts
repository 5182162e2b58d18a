import { isAppError } from '@palimpsest/core';
import type { AppError, ErrorCode } from '@palimpsest/core';

/** Whether a process with this id exists. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Polls until `condition` holds. The long timeout matters only for a failing test. */
export const until = async (condition: () => boolean): Promise<void> => {
  const deadline = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('The condition did not become true.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** The error of `work`; `undefined` if it succeeds. */
export const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The `AppError` with this code that `work` throws. */
export const appErrorOf = async (work: Promise<unknown>, code: ErrorCode): Promise<AppError> => {
  const error = await errorOf(work);
  if (isAppError(error, code)) return error;
  throw new Error(`${code} was expected, not ${String(error)}`);
};
