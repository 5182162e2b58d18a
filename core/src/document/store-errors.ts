import { AppError } from '../errors.ts';

/**
 * Waits for a call to a store and converts unknown errors to `SERVICE_UNAVAILABLE`, because an error that the adapter
 * did not recognize probably means that the store is unavailable. A `TypeError` is not converted: it is a bug, and
 * `SERVICE_UNAVAILABLE` would be retried forever.
 */
export const onStore = async <T>(task: Promise<T>): Promise<T> => {
  try {
    return await task;
  } catch (error) {
    if (error instanceof AppError || error instanceof TypeError) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', 'A part of the service is not available.', { cause: error });
  }
};
