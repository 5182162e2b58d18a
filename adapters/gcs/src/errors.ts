import { AppError } from '@palimpsest/core';

/**
 * A failure that a retry may overcome: no connection, no answer, or a temporary error status. `cause` has the details.
 */
export class TransientFault extends Error {
  override readonly name = 'TransientFault';
}

/**
 * The service refused a request. The message contains no object name. The answer of the service may contain one, so it
 * is only in `cause`.
 */
export class GcsRefusal extends Error {
  override readonly name = 'GcsRefusal';
  readonly status: number;

  constructor(status: number, reason: string, text: string) {
    const hint = status === 401 || status === 403 ? ': the credentials lack a permission on the bucket' : '';
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
 * Whether the same request may succeed later. 501 means that the server does not know the request.
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
  'ERR_STREAM_DESTROYED', // the connection broke while the client was still writing
  'ERR_STREAM_PREMATURE_CLOSE',
  'ETIMEDOUT',
]);

/** The used properties of the errors that the client and the credentials library throw. */
interface ClientError extends Error {
  readonly code?: unknown; // an HTTP status, a system error code, or a code of the credentials library
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

/** The HTTP status of the answer, if there was one. */
const statusOf = ({ code, status, response }: ClientError): number | undefined =>
  [status, code, response?.statusCode].map(Number).find((one) => one >= 300 && one < 600);

/** Whether the client could not reach the service or the credentials server, or got a temporary error from it. */
export const isOutOfReach = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code }: ClientError = error;
  return SYSTEM_CODES.has(String(code)) || isTransientStatus(statusOf(error) ?? 0) || isOutOfReach(error.cause);
};

/**
 * Translates an error of the client to a {@link TransientFault} or a {@link GcsRefusal}; returns other errors
 * unchanged.
 */
export const faultOf = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof TransientFault || error instanceof GcsRefusal) return error;
  if (isOutOfReach(error))
    return new TransientFault('The storage did not answer, or answered with a temporary error', { cause: error });
  const { code, errors, response }: ClientError = error;
  const status = statusOf(error);
  const isCredentialsError = code !== undefined && Number.isNaN(Number(code)); // its codes are words, not numbers
  if (status === undefined || isCredentialsError) return error;
  const reason = (errors ?? response?.data?.error?.errors)?.[0]?.reason;
  return new GcsRefusal(status, typeof reason === 'string' ? reason : '', error.message.slice(0, 2000));
};
