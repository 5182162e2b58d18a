import { isAppError } from '@palimpsest/core';
import type { Logger } from '@palimpsest/composition';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { errorTable, isPublicCode, type PublicCode } from './error-table.ts';
import { HttpError } from './http-error.ts';
import { hasUnreadBody, sendAndClose } from './lingering-close.ts';
import { ClientDisconnected } from './send-bytes.ts';

const RETRY_AFTER_UNAVAILABLE_MS = 5_000;

interface Answer {
  readonly code: PublicCode;
  readonly message: string;
  readonly retryAfterMs?: number | undefined;
}

/** Translates the errors of body-parser and Express to {@link HttpError}. Returns other errors unchanged. */
const translated = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof HttpError) return error;
  if (error instanceof URIError) return new HttpError('NOT_FOUND');
  switch ('type' in error ? error.type : undefined) {
    case 'entity.parse.failed':
    case 'request.aborted':
    case 'request.size.invalid':
      return new HttpError('INVALID_JSON');
    case 'entity.too.large':
      return new HttpError('PAYLOAD_TOO_LARGE');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new HttpError(
        'UNSUPPORTED_MEDIA_TYPE',
        'Send the body as application/json in UTF-8, uncompressed or with gzip, deflate or br.',
      );
    default:
      return hasClientErrorStatus(error)
        ? new HttpError('INVALID_REQUEST', 'The body cannot be read. Correct it and send it again.')
        : error;
  }
};

/** Whether a middleware reports an error of the client (http-errors: `status` 400 to 499). */
const hasClientErrorStatus = (error: Error): boolean =>
  'status' in error && typeof error.status === 'number' && error.status >= 400 && error.status < 500;

const answerTo = (error: unknown): Answer => {
  if (error instanceof HttpError) return { code: error.code, message: error.message };
  if (!isAppError(error) || !isPublicCode(error.code)) {
    return { code: 'INTERNAL_ERROR', message: errorTable.INTERNAL_ERROR.message };
  }
  const { code, message, retryAfterMs } = error;
  // The message of an infrastructure failure can contain internal details.
  return code === 'SERVICE_UNAVAILABLE'
    ? { code, message: errorTable[code].message, retryAfterMs: RETRY_AFTER_UNAVAILABLE_MS }
    : { code, message, retryAfterMs };
};

const setHeaders = (res: Response, { code, retryAfterMs }: Answer): void => {
  // The handler may have set headers for the response that it could not send.
  for (const name of ['ETag', 'Content-Disposition']) res.removeHeader(name);
  if (code !== 'RANGE_NOT_SATISFIABLE') for (const name of ['Accept-Ranges', 'Content-Range']) res.removeHeader(name);
  res.set('Cache-Control', 'no-store');
  if (retryAfterMs !== undefined) res.set('Retry-After', String(Math.max(Math.ceil(retryAfterMs / 1000), 1)));
  const { challenge } = errorTable[code];
  if (challenge !== undefined) res.set('WWW-Authenticate', challenge);
};

/** Whether the request failed only because the client closed the connection. */
const isDisconnect = (error: unknown, res: Response): boolean =>
  (res.closed || res.destroyed) &&
  (error instanceof ClientDisconnected ||
    (error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'));

/** Sends the error object. The details of an internal error go to the log only. */
export const sendError = (log: Logger, error: unknown, req: Request, res: Response): void => {
  const cause = translated(error);
  const answer = answerTo(cause);
  const { status } = errorTable[answer.code];
  const fields = { err: cause, requestId: res.locals['requestId'] };
  if (isDisconnect(error, res)) log.debug(fields, 'the client closed the connection before the response was complete');
  else if (status >= 500) log.error(fields, status === 503 ? 'dependency unavailable' : 'request failed');
  if (res.headersSent) {
    res.destroy();
    return;
  }
  setHeaders(res.status(status), answer);
  const body = JSON.stringify({ error: { code: answer.code, message: answer.message } });
  if (hasUnreadBody(req)) sendAndClose(req, res, body);
  else res.type('json').send(body);
};

/** The last error handler of the application: answers every error with the error object. */
export const errorHandler =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, req, res, _next) => {
    sendError(log, error, req, res);
  };
