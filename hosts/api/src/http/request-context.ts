import { randomUUID } from 'node:crypto';
import type { Logger } from '@palimpsest/composition';
import type { RequestHandler } from 'express';

const VALID_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Sets the id of each request (the client's `X-Request-Id` if it is valid), returns it in the response, and logs the
 * request.
 */
export const requestContext =
  (log: Logger): RequestHandler =>
  (req, res, next) => {
    const given = req.get('x-request-id');
    const requestId = given !== undefined && VALID_REQUEST_ID.test(given) ? given : randomUUID();
    const startedAt = process.hrtime.bigint();
    const { path } = req;
    res.locals['requestId'] = requestId;
    res.set('X-Request-Id', requestId).set('Cache-Control', 'no-store');
    res.once('close', () => {
      const ms = Number((process.hrtime.bigint() - startedAt) / 1000n) / 1000;
      const aborted = res.writableFinished ? {} : { aborted: true };
      log.info({ requestId, method: req.method, path, status: res.statusCode, ms, ...aborted }, 'request');
    });
    next();
  };
