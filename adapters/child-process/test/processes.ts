import { isAppError } from '@palimpsest/core';
import type { AppError, ErrorCode } from '@palimpsest/core';
import { rejectionOf } from '../../../test/expectations.ts';

/** Whether a process with this id exists. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** The `AppError` with this code that `work` throws. */
export const appErrorOf = async (work: Promise<unknown>, code: ErrorCode): Promise<AppError> => {
  const error = await rejectionOf(work);
  if (isAppError(error, code)) return error;
  throw new Error(`${code} was expected, not ${String(error)}`);
};
