import { isUtf8 } from 'node:buffer';
import express, { type RequestHandler } from 'express';
import { HttpError } from './error-response.ts';
import { continueSending } from './expect-continue.ts';

/** Body limits in bytes: a revision may hold 5 MiB of text, escaped; everything else is small. */
export const JSON_LIMIT_BYTES = 100 * 1024;
export const REVISION_LIMIT_BYTES = 16 * 1024 * 1024;

const hasBody = (headers: NodeJS.Dict<string | string[]>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Reads a JSON body up to a limit; a body of another type is 415, none at all leaves `req.body` undefined. */
export const jsonBody = (limitBytes: number): readonly RequestHandler[] => [
  (req, res, next) => {
    if (hasBody(req.headers) && !req.is('application/json')) {
      throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
    }
    const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(req.get('content-type') ?? '')?.[1];
    if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
      throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.');
    }
    if (Number(req.headers['content-length'] ?? 0) > limitBytes) {
      throw new HttpError('PAYLOAD_TOO_LARGE', `The body is too large: at most ${limitBytes} bytes are read here.`);
    }
    continueSending(req, res);
    next();
  },
  express.json({
    limit: limitBytes,
    strict: false,
    type: 'application/json',
    verify: (_req, _res, bytes) => {
      if (!isUtf8(bytes)) throw new HttpError('INVALID_JSON', 'The body is not valid UTF-8. Correct it and send it again.');
    },
  }),
];
