import { AppError, isAppError, type ErrorCode } from '@palimpsest/core';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from '@palimpsest/composition';

/** What goes wrong with HTTP itself, beside the codes of the core. */
export type HttpCode =
  | 'INTERNAL_ERROR'
  | 'INVALID_JSON'
  | 'INVALID_REQUEST'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'PAYLOAD_TOO_LARGE'
  | 'REQUEST_TIMEOUT'
  | 'UNSUPPORTED_MEDIA_TYPE';

/** A refusal that only HTTP knows. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: HttpCode;

  constructor(code: HttpCode, message: string) {
    super(message);
    this.code = code;
  }
}

const httpStatuses: Readonly<Record<HttpCode, number>> = {
  INTERNAL_ERROR: 500,
  INVALID_JSON: 400,
  INVALID_REQUEST: 400,
  METHOD_NOT_ALLOWED: 405,
  NOT_FOUND: 404,
  PAYLOAD_TOO_LARGE: 413,
  REQUEST_TIMEOUT: 408,
  UNSUPPORTED_MEDIA_TYPE: 415,
};

/** The status of every code of the core that a client can meet; the others are faults of ours. */
const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
  AUTHENTICATION_REQUIRED: 401,
  INVALID_TOKEN: 401,
  TOKEN_EXPIRED: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_REFRESH_TOKEN: 401,
  INVALID_OR_EXPIRED_TOKEN: 400,
  RATE_LIMITED: 429,
  VALIDATION_ERROR: 400,
  INVALID_UPLOAD: 400,
  EMPTY_FILE: 400,
  FILE_TOO_LARGE: 413,
  UNSUPPORTED_FILE_TYPE: 415,
  DOCUMENT_NOT_FOUND: 404,
  FILE_NOT_STORED: 400,
  DOCUMENT_NOT_COMPLETED: 400,
  OCR_RESULT_NOT_AVAILABLE: 400,
  DOCUMENT_NOT_FAILED: 409,
  PAGE_NOT_FOUND: 404,
  REVISION_NOT_FOUND: 404,
  PAGE_NOT_RENDERABLE: 422,
  RANGE_NOT_SATISFIABLE: 416,
  REVISION_CONFLICT: 412,
  IDEMPOTENCY_KEY_REUSED: 422,
  IDEMPOTENCY_KEY_IN_USE: 409,
  SERVICE_UNAVAILABLE: 503,
};

const RETRY_AFTER_S = 5;
const UNAVAILABLE_MESSAGE = 'A part of the service is not available right now. Try again in a few seconds.';

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfterS?: number;
}

const INTERNAL: Answer = {
  status: 500,
  code: 'INTERNAL_ERROR',
  message: 'Something went wrong on our side. Try again; if it goes on, report the X-Request-Id of this answer.',
};

/** What body-parser and Express throw, by their `type` or nature. */
const translated = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  if (error instanceof URIError) return new HttpError('NOT_FOUND', 'There is nothing at this address.');
  switch ('type' in error ? error.type : undefined) {
    case 'entity.parse.failed':
    case 'request.aborted':
    case 'request.size.invalid':
      return new HttpError('INVALID_JSON', 'The body is not valid JSON in UTF-8. Correct it and send it again.');
    case 'entity.too.large':
      return new HttpError('PAYLOAD_TOO_LARGE', 'The body is too large for this request. Send less.');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new HttpError(
        'UNSUPPORTED_MEDIA_TYPE',
        'Send the body as application/json in UTF-8, uncompressed or with gzip, deflate or br.',
      );
    default:
      return isRequestFault(error)
        ? new HttpError('INVALID_REQUEST', 'The body cannot be read. Correct it and send it again.')
        : error;
  }
};

/** Whether a middleware blames the request (http-errors: `status` 400 to 499). */
const isRequestFault = (error: Error): boolean =>
  !(error instanceof HttpError) &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500;

const answerTo = (error: unknown): Answer => {
  if (error instanceof HttpError) return { status: httpStatuses[error.code], code: error.code, message: error.message };
  if (!isAppError(error)) return INTERNAL;
  const status = statuses[error.code];
  if (status === undefined) return INTERNAL;
  if (status === 503) return { status, code: error.code, message: UNAVAILABLE_MESSAGE, retryAfterS: RETRY_AFTER_S };
  const { code, message, retryAfterMs } = error;
  return {
    status,
    code,
    message,
    ...(retryAfterMs !== undefined && { retryAfterS: Math.max(Math.ceil(retryAfterMs / 1000), 1) }),
  };
};

const setHeaders = (res: Response, { code, retryAfterS }: Answer): void => {
  // What was said of the answer that did not come does not hold for the refusal.
  for (const name of ['ETag', 'Content-Disposition']) res.removeHeader(name);
  if (code !== 'RANGE_NOT_SATISFIABLE') for (const name of ['Accept-Ranges', 'Content-Range']) res.removeHeader(name);
  res.set('Cache-Control', 'no-store');
  if (retryAfterS !== undefined) res.set('Retry-After', String(retryAfterS));
  if (code === 'AUTHENTICATION_REQUIRED') res.set('WWW-Authenticate', 'Bearer');
  if (code === 'INVALID_TOKEN' || code === 'TOKEN_EXPIRED') res.set('WWW-Authenticate', 'Bearer error="invalid_token"');
};

const LINGER_MS = 2_000;
const LINGER_BYTES = 1024 * 1024;

const hasUnreadBody = (req: Request): boolean =>
  !req.complete && (req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0);

/**
 * Sends a whole answer while the client is still sending, and closes: what arrives for a moment after is dropped, so
 * that the client reads the answer instead of a reset connection (RFC 9112, section 9.6).
 */
const sendAndClose = (req: Request, res: Response, body: string): void => {
  res.set('Connection', 'close').set('Content-Type', 'application/json; charset=utf-8');
  res.set('Content-Length', String(Buffer.byteLength(body)));
  const close = (): void => {
    clearTimeout(timer);
    res.end();
    req.socket.destroySoon();
  };
  const timer = setTimeout(close, LINGER_MS);
  let dropped = 0;
  req.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > LINGER_BYTES) close();
  });
  req.once('end', close);
  req.once('close', close);
  req.on('error', close);
  res.write(body);
  req.resume();
};

/** Whether nothing went wrong but that the client broke the connection off. */
const hasGone = (error: unknown, res: Response): boolean =>
  (res.closed || res.destroyed) &&
  error instanceof Error &&
  (error.name === 'ClientGone' || ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'));

/** Writes the error object. Faults of ours go to the log with everything, to the client with nothing but the id. */
export const sendError = (log: Logger, error: unknown, req: Request, res: Response): void => {
  const cause = translated(error);
  const answer = answerTo(cause);
  if (hasGone(error, res)) {
    log.debug({ err: cause, requestId: res.locals['requestId'] }, 'the client went before it was answered');
  } else if (answer.status >= 500) {
    log.error(
      { err: cause, requestId: res.locals['requestId'] },
      answer.status === 503 ? 'dependency unavailable' : 'request failed',
    );
  }
  if (res.headersSent) {
    res.destroy();
    return;
  }
  setHeaders(res.status(answer.status), answer);
  const body = JSON.stringify({ error: { code: answer.code, message: answer.message } });
  if (hasUnreadBody(req)) sendAndClose(req, res, body);
  else res.type('json').send(body);
};

/** The last handler: every error there is becomes the error object. */
export const errorHandler =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, req, res, _next) => {
    sendError(log, error, req, res);
  };

/** Nothing lives at this address. */
export const notFound = (): never => {
  throw new HttpError(
    'NOT_FOUND',
    'There is nothing at this address. The paths are listed in the documentation of the API.',
  );
};

/** The refusal of a request without a token. */
export const authenticationRequired = (): AppError =>
  new AppError(
    'AUTHENTICATION_REQUIRED',
    'Sign in and send the access token in the header Authorization: Bearer <token>.',
  );
