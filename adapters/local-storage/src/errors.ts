import { AppError } from '@palimpsest/core';

// The disk is full, over quota, read-only or broken, or no more files may be open: it may work again later.
const UNAVAILABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE']);

/** Whether `error` is the system error with this code. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * What `work`, a call of the file system, resolves with. Where the ground is missing (full, read-only or broken disk, too
 * many open files) throws `SERVICE_UNAVAILABLE`; every other error is thrown on as it is.
 */
export const translated = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && UNAVAILABLE.has(error.code)) {
      throw new AppError('SERVICE_UNAVAILABLE', 'Files cannot be stored or read at the moment. Try again later.', {
        cause: error,
      });
    }
    throw error;
  }
};

/** As {@link translated}, and `undefined` where the file is not there. */
export const unlessAbsent = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await translated(work);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};
