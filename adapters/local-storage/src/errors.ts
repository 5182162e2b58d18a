import { AppError } from '@palimpsest/core';
import { hasErrorCode } from '@palimpsest/files';

// The disk is full, over quota, read-only or broken, or too many files are open. A retry may succeed later.
const UNAVAILABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE']);

/**
 * Awaits `work`, a call of the file system. Throws `SERVICE_UNAVAILABLE` for an infrastructure failure (full, read-only
 * or broken disk, too many open files), and rethrows all other errors.
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

/** Like {@link translated}, but returns `undefined` if the file does not exist. */
export const unlessAbsent = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await translated(work);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};
