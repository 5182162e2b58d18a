import { AppError, errorCodes } from '@palimpsest/core';

/** What is refused because the database is being closed. */
export const closing = (): AppError => new AppError('SERVICE_UNAVAILABLE', 'The database is being closed.');

/** An error of a thread as it was thrown: it keeps all that it says, but an `AppError` becomes a plain `Error` of that name. */
export const restored = (error: unknown): unknown => {
  if (!(error instanceof Error && error.name === 'AppError' && 'code' in error)) return error;
  const code = errorCodes.find((known) => known === error.code);
  return code === undefined ? error : new AppError(code, error.message, { cause: error.cause });
};
