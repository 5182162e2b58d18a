import { AppError } from '@palimpsest/core';
import { isDiskFailure } from '@palimpsest/files';

/** Awaits `work`, a call of the file system. Throws `SERVICE_UNAVAILABLE` for a disk failure, and all other errors. */
export const translated = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isDiskFailure(error)) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', 'Files cannot be stored or read at the moment. Try again later.', {
      cause: error,
    });
  }
};
