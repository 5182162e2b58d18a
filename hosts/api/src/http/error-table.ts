import { expiredAccessToken, invalidAccessToken, revisionConflict, type ErrorCode } from '@palimpsest/core';

/** The error response for one code. */
export interface ErrorEntry {
  readonly status: number;
  readonly when: string; // the condition, for the OpenAPI document
  readonly message: string; // an example for the OpenAPI document: the message of the actual error may differ
  readonly challenge?: string; // the value of the header WWW-Authenticate
  readonly headers?: readonly ('Retry-After' | 'Content-Range')[]; // headers of every such response
}

/** Codes of the core that never reach a client. Such an error is answered as `INTERNAL_ERROR`. */
type InternalCode =
  | 'ILLEGAL_TRANSITION'
  | 'LEASE_LOST'
  | 'SOURCE_MISSING'
  | 'SOURCE_CHANGED'
  | 'DOCUMENT_DAMAGED'
  | 'DOCUMENT_ENCRYPTED'
  | 'DOCUMENT_WITHOUT_PAGES'
  | 'TOO_MANY_PAGES'
  | 'TOO_MUCH_TEXT'
  | 'PAGE_TOO_LARGE'
  | 'PAGE_TIMED_OUT'
  | 'PAGE_OUT_OF_MEMORY'
  | 'DOCUMENT_TIMED_OUT'
  | 'ENGINE_CRASHED'
  | 'MAIL_REFUSED'
  | 'MAIL_TOO_LARGE';

type CoreErrors = Readonly<Record<Exclude<ErrorCode, InternalCode>, ErrorEntry>>;

const BAD_TOKEN = 'Bearer error="invalid_token"';

const coreErrors = {
  AUTHENTICATION_REQUIRED: {
    status: 401,
    when: 'The request has no bearer token.',
    message: 'Sign in and send the access token in the header Authorization: Bearer <token>.',
    challenge: 'Bearer',
  },
  INVALID_TOKEN: {
    status: 401,
    when: 'The access token is not valid, or it was revoked.',
    message: invalidAccessToken().message,
    challenge: BAD_TOKEN,
  },
  TOKEN_EXPIRED: {
    status: 401,
    when: 'The access token is older than one hour.',
    message: expiredAccessToken().message,
    challenge: BAD_TOKEN,
  },
  INVALID_CREDENTIALS: {
    status: 401,
    when: 'The e-mail address or the password is wrong.',
    message: 'The e-mail address or the password is wrong.',
  },
  INVALID_REFRESH_TOKEN: {
    status: 401,
    when: 'The refresh token is unknown, used, expired or revoked.',
    message: 'The refresh token is not valid any more. Sign in again.',
  },
  INVALID_OR_EXPIRED_TOKEN: {
    status: 400,
    when: 'The token from the e-mail is unknown, used or expired.',
    message: 'This link was used already, has expired, or was replaced by a newer one. Ask for a new one.',
  },
  RATE_LIMITED: {
    status: 429,
    when: 'A rate limit is exceeded.',
    message: 'Too many requests. Try again in 15 seconds.',
    headers: ['Retry-After'],
  },
  VALIDATION_ERROR: {
    status: 400,
    when: 'A field, a parameter or a header is missing or malformed. The message names it and states what is allowed.',
    message: 'limit: give a whole number from 1 (more than 200 counts as 200).',
  },
  INVALID_UPLOAD: {
    status: 400,
    when: 'The multipart form is broken, or it does not have exactly one file in the field `file`.',
    message: 'Send exactly one file, in the form field "file".',
  },
  EMPTY_FILE: { status: 400, when: 'The file is empty.', message: 'The file is empty. Upload a file with content.' },
  FILE_TOO_LARGE: {
    status: 413,
    when: 'The file is larger than 25 MB (26,214,400 bytes).',
    message: 'The file is larger than 25 MB (26,214,400 bytes). Upload a smaller one.',
  },
  UNSUPPORTED_FILE_TYPE: {
    status: 415,
    when: 'The content of the file is not JPEG, PNG or PDF.',
    message: 'This is not a JPEG, PNG or PDF file by its content. Upload one of these.',
  },
  DOCUMENT_NOT_FOUND: {
    status: 404,
    when: 'The document does not exist, or it belongs to another account.',
    message: 'Document not found.',
  },
  FILE_NOT_STORED: {
    status: 400,
    when: 'The original file is not stored any more.',
    message: 'No file is stored for this document.',
  },
  DOCUMENT_NOT_COMPLETED: {
    status: 400,
    when: 'The status of the document is not `completed`.',
    message: 'This document is still being processed. Try again when its status is completed.',
  },
  OCR_RESULT_NOT_AVAILABLE: {
    status: 400,
    when: 'The document is completed, but its text is not stored any more.',
    message: 'The text of this document is not stored any more. Upload the document again.',
  },
  DOCUMENT_NOT_FAILED: {
    status: 409,
    when: 'The status of the document is not `failed`.',
    message: 'Only a document that failed can be processed again.',
  },
  PAGE_NOT_FOUND: {
    status: 404,
    when: 'The document has no page with this number.',
    message: 'This document has no such page.',
  },
  REVISION_NOT_FOUND: {
    status: 404,
    when: 'The document has no revision with this number.',
    message: 'This document has no such revision.',
  },
  PAGE_NOT_RENDERABLE: {
    status: 422,
    when: 'The pages of the file cannot be rendered.',
    message: 'The pages of this file cannot be rendered. Download the original file instead.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    when: 'The requested range begins after the last byte of the file.',
    message: 'The file has no bytes in this range. Ask for a range within its size.',
    headers: ['Content-Range'],
  },
  REVISION_CONFLICT: {
    status: 412,
    when: 'The document was revised after the version that `If-Match` names.',
    message: revisionConflict().message,
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    when: 'The idempotency key was used for another request.',
    message: 'This idempotency key was used for another request. Choose a new one.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    when: 'The first request with this idempotency key is still in progress.',
    message: 'The request with this idempotency key is still being answered. Ask again in a moment.',
    headers: ['Retry-After'],
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: 'The service cannot reach a dependency (the database or the blob store).',
    message: 'A part of the service is not available right now. Try again in a few seconds.',
    headers: ['Retry-After'],
  },
} as const satisfies CoreErrors;

const httpErrors = {
  INTERNAL_ERROR: {
    status: 500,
    when: 'The service failed unexpectedly.',
    message:
      'The service failed unexpectedly. Try again. If the error persists, report it with the X-Request-Id of this response.',
  },
  INVALID_JSON: {
    status: 400,
    when: 'The body is not JSON in UTF-8.',
    message: 'The body is not valid JSON in UTF-8. Correct it and send it again.',
  },
  INVALID_REQUEST: {
    status: 400,
    when: 'The request or its body is not valid HTTP.',
    message: 'The request is not valid HTTP.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The path does not support this method. `Allow` lists the supported methods.',
    message: 'This path allows GET, HEAD, OPTIONS.',
  },
  NOT_FOUND: {
    status: 404,
    when: 'The path does not exist.',
    message: 'This path does not exist. The documentation of the API lists all paths.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    when: 'The JSON body is larger than 100 KiB (16 MiB for a revision).',
    message: 'The body is too large for this request. Send less.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    when: 'The headers of the request are too large.',
    message: 'The headers of the request are too large. Send fewer or shorter ones.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    when: 'The request arrived too slowly.',
    message: 'The request arrived too slowly. Send it again over a faster connection.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    when: 'The body is not `application/json` in UTF-8, or an upload is not `multipart/form-data`.',
    message: 'Send the body as application/json.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

/** Codes of errors that only the HTTP layer knows. */
export type HttpCode = keyof typeof httpErrors;

/** Every code that a client can receive. */
export type PublicCode = keyof typeof coreErrors | HttpCode;

/** Status, description and headers of every code that a client can receive. A client receives no other code. */
export const errorTable: Readonly<Record<PublicCode, ErrorEntry>> = { ...coreErrors, ...httpErrors };

export const publicCodes = Object.keys(errorTable) as [PublicCode, ...PublicCode[]];

/** Whether a client may receive this code. */
export const isPublicCode = (code: string): code is PublicCode => Object.hasOwn(errorTable, code);
