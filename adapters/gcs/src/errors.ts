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
    super(`Google Cloud Storage refused a request (${status}${reason === '' ? '' : ` ${reason}`})${hint}`, {
      cause: text,
    });
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
export const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 500 && status !== 501);

const SYSTEM_CODES = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ETIMEDOUT',
]);

/** As much as is used of what the client and the library for credentials throw. */
interface ClientError extends Error {
  readonly code?: unknown; // an HTTP status, or the word of the system or of who gives credentials
  readonly status?: unknown;
  readonly errors?: readonly Reason[];
  readonly response?: {
    readonly statusCode?: unknown;
    readonly data?: { readonly error?: { readonly errors?: readonly Reason[] } };
  };
}

interface Reason {
  readonly reason?: unknown;
}

/** The HTTP status that was answered. */
const statusOf = ({ code, status, response }: ClientError): number | undefined =>
  [status, code, response?.statusCode].map(Number).find((one) => one >= 300 && one < 600);

/** Whether the client says that it could not reach the service, or who gives out credentials. */
export const isOutOfReach = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code }: ClientError = error;
  return SYSTEM_CODES.has(String(code)) || isTransientStatus(statusOf(error) ?? 0) || isOutOfReach(error.cause);
};

/** What an error of the client comes to: a {@link TransientFault}, a {@link GcsRefusal}, or itself. */
export const faultOf = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof TransientFault || error instanceof GcsRefusal) return error;
  if (isOutOfReach(error))
    return new TransientFault('The storage gave no answer, or none that lasts', { cause: error });
  const { code, errors, response }: ClientError = error;
  const status = statusOf(error);
  const ofCredentials = code !== undefined && Number.isNaN(Number(code)); // they have words of their own
  if (status === undefined || ofCredentials) return error;
  const reason = (errors ?? response?.data?.error?.errors)?.[0]?.reason;
  return new GcsRefusal(status, typeof reason === 'string' ? reason : '', error.message.slice(0, 2000));
};
