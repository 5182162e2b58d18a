import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FairSemaphore } from '@palimpsest/core';
import express, { type RequestHandler } from 'express';
import type { z } from 'zod';
import { HttpError } from '../http-error.ts';
import { validated } from '../request-validation.ts';
import { sendContinue } from './expect-continue.ts';
import { hasMoreParts } from './json-size.ts';
import { waitForLargeBodySlot } from './large-bodies.ts';
import type { RequestBody } from './request-body.ts';

const DEFAULT_LIMIT_BYTES = 100 * 1024;
/**
 * Larger bodies need much memory and time, so only a few are read at once, and the number of their parts is limited.
 */
const LARGE_BYTES = DEFAULT_LIMIT_BYTES;
/** The limit on values, keys and levels of a large body. Parsing millions of them blocks the process for seconds. */
const MAX_PARTS = 1000;

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether the body is large, or its size is unknown because it is chunked or compressed. */
const mayBeLarge = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined ||
  Number(headers['content-length'] ?? 0) > LARGE_BYTES ||
  (hasBody(headers) && (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity');

const checkHeaders =
  (limitBytes: number): RequestHandler =>
  (req, _res, next) => {
    if (hasBody(req.headers) && !req.is('application/json')) throw new HttpError('UNSUPPORTED_MEDIA_TYPE');
    const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(req.get('content-type') ?? '')?.[1];
    if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
      throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.');
    }
    if (Number(req.headers['content-length'] ?? 0) > limitBytes) {
      throw new HttpError(
        'PAYLOAD_TOO_LARGE',
        `The body is too large. This request may have at most ${limitBytes} bytes.`,
      );
    }
    next();
  };

const waitIfLarge = (slots: FairSemaphore): RequestHandler => {
  const wait = waitForLargeBodySlot(slots);
  return (req, res, next) => {
    if (mayBeLarge(req.headers)) return wait(req, res, next);
    next();
  };
};

const askForBody: RequestHandler = (req, res, next) => {
  sendContinue(req, res);
  next();
};

const checkBytes = (bytes: Uint8Array): void => {
  if (!isUtf8(bytes)) throw new HttpError('INVALID_JSON', 'The body is not valid UTF-8. Correct it and send it again.');
  if (bytes.length > LARGE_BYTES && hasMoreParts(bytes, MAX_PARTS)) {
    throw new HttpError('PAYLOAD_TOO_LARGE', 'The body has too many parts. Send only the fields of this request.');
  }
};

/** Parses a JSON body of at most `limitBytes` into `req.body`. Without a body, `req.body` is undefined. */
const readJson = (limitBytes: number, largeBodySlots: FairSemaphore): readonly RequestHandler[] => [
  checkHeaders(limitBytes),
  ...(limitBytes > LARGE_BYTES ? [waitIfLarge(largeBodySlots)] : []),
  askForBody,
  express.json({
    limit: limitBytes,
    strict: false,
    type: 'application/json',
    verify: (_req, _res, bytes) => checkBytes(bytes),
  }),
];

/** A JSON body. `example` appears in the OpenAPI document. A schema that accepts `undefined` makes the body optional. */
export const jsonBody = <Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
  { limitBytes = DEFAULT_LIMIT_BYTES }: { readonly limitBytes?: number } = {},
): RequestBody<z.output<Schema>> => ({
  openApi: {
    required: !schema.safeParse(undefined).success,
    content: { 'application/json': { schema, example } },
  },
  refusals: [
    'INVALID_JSON',
    'VALIDATION_ERROR',
    'INVALID_REQUEST',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'REQUEST_TIMEOUT',
  ],
  read: ({ largeBodySlots }) => readJson(limitBytes, largeBodySlots),
  parse: async (req) => validated(schema, req.body),
});
