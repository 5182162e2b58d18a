import { AppError } from '@palimpsest/core';

/** A fault that may be over at the next attempt: no connection, no answer, or one that says so. `cause` tells which. */
export class TransientFault extends Error {
  override readonly name = 'TransientFault';
}

/** An answer that refuses. Its message names no object; what the service wrote, which may, is the `cause`. */
export class GcsRefusal extends Error {
  override readonly name = 'GcsRefusal';
  readonly status: number;

  constructor(status: number, reason: string, text: string) {
    const hint = status === 401 || status === 403 ? ': its credentials lack a permission on the bucket' : '';
    super(`Google Cloud Storage refused a request (${status}${reason === '' ? '' : ` ${reason}`})${hint}`, { cause: text });
    this.status = status;
  }
}

/** Whether `error` is a refusal with one of these HTTP statuses. */
export const isRefusal = (error: unknown, ...statuses: readonly number[]): error is GcsRefusal =>
  error instanceof GcsRefusal && statuses.includes(error.status);

export const unavailable = (cause: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'Files cannot be stored or read at the moment. Try again later.', { cause });

/**
 * Whether the same request may succeed a little later. 501 says that there is no such request.
 * https://cloud.google.com/storage/docs/retry-strategy
 */
export const isTransientStatus = (status: number): boolean => status === 408 || status === 429 || (status >= 500 && status !== 501);

const SYSTEM_CODES = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Whether the library for credentials says that it could not reach who gives them out. */
export const isOutOfReach = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const status = 'status' in error ? Number(error.status) : Number(code);
  return SYSTEM_CODES.has(code) || isTransientStatus(status) || isOutOfReach(error.cause);
};
