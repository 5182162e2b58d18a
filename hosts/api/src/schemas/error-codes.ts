import type { ErrorCode } from '@palimpsest/core';
import type { HttpCode } from '../error-response.ts';

/** What a client is told of one code. */
interface ErrorEntry {
  readonly status: number;
  readonly when: string;
  readonly message: string; // an example: messages may change
}

/** `HEADERS_TOO_LARGE` is answered before there is a request that could be routed. */
type PublicCode = Exclude<ErrorCode, HiddenCode> | HttpCode | 'HEADERS_TOO_LARGE';

/** Codes of the core that stay inside: for workers, or faults of ours. */
type HiddenCode =
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

/** Every code that a client can meet: the list is closed. */
export const errorCatalogue = {
  AUTHENTICATION_REQUIRED: {
    status: 401,
    when: 'There is no bearer token.',
    message: 'Sign in and send the access token in the header Authorization: Bearer <token>.',
  },
  INVALID_TOKEN: {
    status: 401,
    when: 'The access token is not one of ours, or was revoked.',
    message: 'The access token is not valid any more. Sign in again.',
  },
  TOKEN_EXPIRED: {
    status: 401,
    when: 'The access token is older than an hour.',
    message: 'The access token has expired. Refresh it or log in again.',
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
    when: 'The mailed token is unknown, used or expired.',
    message: 'This link was used already, has expired, or was replaced by a newer one. Ask for a new one.',
  },
  RATE_LIMITED: {
    status: 429,
    when: 'A rate limit is exceeded.',
    message: 'Too many requests. Try again in 15 seconds.',
  },
  VALIDATION_ERROR: {
    status: 400,
    when: 'A field, parameter or header is missing or malformed; the message names it and what is allowed.',
    message: 'limit: give a whole number from 1 (more than 200 counts as 200).',
  },
  INVALID_UPLOAD: {
    status: 400,
    when: 'The multipart form is broken, or has no file or two in the field `file`.',
    message: 'Send exactly one file, in the form field "file".',
  },
  EMPTY_FILE: {
    status: 400,
    when: 'The file has no bytes.',
    message: 'The file is empty. Upload a file with content.',
  },
  FILE_TOO_LARGE: {
    status: 413,
    when: 'The file is larger than 25 MB (26,214,400 bytes).',
    message: 'The file is larger than 25 MB (26,214,400 bytes). Upload a smaller one.',
  },
  UNSUPPORTED_FILE_TYPE: {
    status: 415,
    when: 'The file is not a JPEG, PNG or PDF by its content.',
    message: 'This is not a JPEG, PNG or PDF file by its content. Upload one of these.',
  },
  DOCUMENT_NOT_FOUND: {
    status: 404,
    when: 'There is no such document, or it is somebody else’s.',
    message: 'Document not found.',
  },
  FILE_NOT_STORED: { status: 400, when: 'The original file is gone.', message: 'No file is stored for this document.' },
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
    when: 'The document has no page of this number.',
    message: 'This document has no such page.',
  },
  REVISION_NOT_FOUND: {
    status: 404,
    when: 'The document has no revision of this number.',
    message: 'This document has no such revision.',
  },
  PAGE_NOT_RENDERABLE: {
    status: 422,
    when: 'The pages of the file cannot be drawn.',
    message: 'The pages of this file cannot be drawn. Download the original file instead.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    when: 'No byte of the file lies in the range asked for.',
    message: 'The file has no bytes in this range. Ask for a range within its size.',
  },
  REVISION_CONFLICT: {
    status: 412,
    when: 'The document was revised since the version that `If-Match` names.',
    message: 'The text was revised meanwhile. Load the document again and repeat the change.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    when: 'The idempotency key was used for another request.',
    message: 'This idempotency key was used for another request. Choose a new one.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    when: 'The first request with this idempotency key is still being answered.',
    message: 'The request with this idempotency key is still being answered. Ask again in a moment.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: 'A part of the service (the database, the file store) cannot be reached.',
    message: 'A part of the service is not available right now. Try again in a few seconds.',
  },
  INTERNAL_ERROR: {
    status: 500,
    when: 'Something went wrong on our side.',
    message: 'Something went wrong on our side. Try again; if it goes on, report the X-Request-Id of this answer.',
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
    when: 'The path does not know this method; `Allow` lists those that it knows.',
    message: 'This address allows GET, HEAD, OPTIONS.',
  },
  NOT_FOUND: {
    status: 404,
    when: 'Nothing lives at this path.',
    message: 'There is nothing at this address. The paths are listed in the documentation of the API.',
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
    message: 'The body arrived too slowly. Send it again over a faster connection.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    when: 'The body is not `application/json` in UTF-8; on an upload, not `multipart/form-data`.',
    message: 'Send the body as application/json.',
  },
} as const satisfies Readonly<Record<PublicCode, ErrorEntry>>;

export type KnownCode = keyof typeof errorCatalogue;

export const publicCodes = Object.keys(errorCatalogue) as [KnownCode, ...KnownCode[]];
