import { AppError } from '@palimpsest/core';
import { errorTable, type HttpCode } from './error-table.ts';

/** A refusal with a code that only the HTTP layer knows. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: HttpCode;

  constructor(code: HttpCode, message: string = errorTable[code].message) {
    super(message);
    this.code = code;
  }
}

/** Throws the error for a path that does not exist. */
export const notFound = (): never => {
  throw new HttpError('NOT_FOUND');
};

/** The error for a request without a token. */
export const authenticationRequired = (): AppError =>
  new AppError('AUTHENTICATION_REQUIRED', errorTable.AUTHENTICATION_REQUIRED.message);
