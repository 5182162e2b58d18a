import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { AccessClaims } from '@palimpsest/core';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { HttpError } from './error-response.ts';
import { continueSending } from './expect-continue.ts';
import { measureAnew } from './minimum-rate.ts';
import { Turns } from './turns.ts';

/** Body limits in bytes: a revision may hold 5 MiB of text, escaped; everything else is small. */
export const JSON_LIMIT_BYTES = 100 * 1024;
export const REVISION_LIMIT_BYTES = 16 * 1024 * 1024;

/** Bodies beyond it cost memory and time enough that few are read at once, and that they may have few parts. */
const LARGE_BYTES = JSON_LIMIT_BYTES;
/** What a large body may have: values, keys, levels. Parsing millions of them takes seconds, in which nothing else is done. */
const MAX_PARTS = 1000;

// Twenty bodies of 5 MiB at once took the process to 2 GiB. No account alone keeps the others out.
const LARGE_BODIES_AT_ONCE = 4;
const LARGE_BODIES_PER_ACCOUNT = 2;
const largeBodies = new Turns(LARGE_BODIES_AT_ONCE, LARGE_BODIES_PER_ACCOUNT);
/** How long a request keeps its place once its body is there: clients that do not fetch their answer hold up nobody. */
const MAX_HANDLING_MS = 30_000;

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether the body is large, or may become so: nobody knows the length of one in chunks or compressed. */
const mayBeLarge = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined ||
  Number(headers['content-length'] ?? 0) > LARGE_BYTES ||
  (hasBody(headers) && (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity');

/** Whether JSON has more than so many brackets, commas and colons outside its strings. Looks no further than needed. */
const hasMoreParts = (json: Uint8Array, max: number): boolean => {
  let parts = 0;
  let isInString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (byte === 0x22) isInString = !isInString;
    else if (isInString) {
      if (byte === 0x5c) i++; // a backslash: what follows ends no string
    } else if (byte === 0x5b || byte === 0x7b || byte === 0x2c || byte === 0x3a) {
      parts++;
      if (parts > max) return true;
    }
  }
  return false;
};

/**
 * Goes on with a large body when it has its turn; until then nothing of it is asked for or read. The place is free again
 * when the answer is fetched or the client is gone.
 */
const inTurn = (req: Request, res: Response, goOn: () => void): void => {
  let late: NodeJS.Timeout | undefined;
  const { accountId = '' }: Partial<AccessClaims> = res.locals['actor'] ?? {};
  req.pause();
  const leave = largeBodies.enter(accountId, () => {
    measureAnew(req);
    req.resume();
    goOn();
  });
  const end = (): void => {
    clearTimeout(late);
    req.off('end', waitForAnswer);
    res.off('close', end);
    leave();
  };
  const waitForAnswer = (): void => {
    late = setTimeout(end, MAX_HANDLING_MS).unref();
  };
  req.once('end', waitForAnswer);
  res.once('close', end);
};

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
    const goOn = (): void => {
      continueSending(req, res);
      next();
    };
    if (limitBytes > LARGE_BYTES && mayBeLarge(req.headers)) inTurn(req, res, goOn);
    else goOn();
  },
  express.json({
    limit: limitBytes,
    strict: false,
    type: 'application/json',
    verify: (_req, _res, bytes) => {
      if (!isUtf8(bytes))
        throw new HttpError('INVALID_JSON', 'The body is not valid UTF-8. Correct it and send it again.');
      if (bytes.length > LARGE_BYTES && hasMoreParts(bytes, MAX_PARTS)) {
        throw new HttpError(
          'PAYLOAD_TOO_LARGE',
          'The body has too many parts for this request. Send the fields that it takes and nothing else.',
        );
      }
    },
  }),
];
