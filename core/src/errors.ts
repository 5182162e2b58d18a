/**
 * All error codes of Palimpsest. Codes are for programs and never change; messages are for people and may change. Hosts
 * translate codes into their protocol (the HTTP host keeps one table of statuses).
 */
export const errorCodes = [
  // authentication and rate limits
  'AUTHENTICATION_REQUIRED',
  'INVALID_TOKEN',
  'TOKEN_EXPIRED',
  'INVALID_CREDENTIALS',
  'INVALID_REFRESH_TOKEN',
  'INVALID_OR_EXPIRED_TOKEN',
  'RATE_LIMITED',
  // the request
  'VALIDATION_ERROR',
  'INVALID_UPLOAD',
  'EMPTY_FILE',
  'FILE_TOO_LARGE',
  'UNSUPPORTED_FILE_TYPE',
  'DOCUMENT_NOT_FOUND',
  'FILE_NOT_STORED',
  'DOCUMENT_NOT_COMPLETED',
  'OCR_RESULT_NOT_AVAILABLE',
  'DOCUMENT_NOT_FAILED',
  'PAGE_NOT_FOUND',
  'REVISION_NOT_FOUND',
  'PAGE_NOT_RENDERABLE',
  'RANGE_NOT_SATISFIABLE',
  'REVISION_CONFLICT',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'ILLEGAL_TRANSITION',
  'LEASE_LOST',
  // the file of a document: permanent, the document fails at once
  'SOURCE_MISSING',
  'SOURCE_CHANGED',
  'DOCUMENT_DAMAGED',
  'DOCUMENT_ENCRYPTED',
  'DOCUMENT_WITHOUT_PAGES',
  'TOO_MANY_PAGES',
  'TOO_MUCH_TEXT',
  'PAGE_TOO_LARGE',
  // limits on the work: one retry, then the document fails
  'PAGE_TIMED_OUT',
  'PAGE_OUT_OF_MEMORY',
  'DOCUMENT_TIMED_OUT',
  // a crash of the worker's tools: retry later, the attempt is counted
  'ENGINE_CRASHED',
  // mail: permanent refusals, of the mail or of its size
  'MAIL_REFUSED',
  'MAIL_TOO_LARGE',
  // infrastructure failure: retry later, the attempt is not counted
  'SERVICE_UNAVAILABLE',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/**
 * A refusal, or a failure that was recognized. `message` is a sentence for people, without secrets, paths and
 * identifiers.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retryAfterMs: number | undefined; // the same call can succeed after this time; `undefined`: not known

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown; retryAfterMs?: number }) {
    super(message, options);
    this.code = code;
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** Whether `error` is an {@link AppError} with one of `codes`; without `codes`, with any code. */
export const isAppError = (error: unknown, ...codes: readonly ErrorCode[]): error is AppError =>
  error instanceof AppError && (codes.length === 0 || codes.includes(error.code));
