import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AppError } from '@palimpsest/core';
import type { Composition } from '@palimpsest/composition';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { createStreamSlots } from './documents/status-events.ts';
import { endpoints, openApiDocument } from './endpoints.ts';
import { requireToken } from './http/authentication.ts';
import { createLargeBodySlots } from './http/bodies/large-bodies.ts';
import { minimumRate, type MinimumRate } from './http/bodies/minimum-rate.ts';
import { crossOrigin } from './http/cross-origin.ts';
import type { Service, Shutdown } from './http/endpoint.ts';
import { errorHandler } from './http/error-response.ts';
import { errorTable } from './http/error-table.ts';
import { HttpError, notFound } from './http/http-error.ts';
import { requestContext } from './http/request-context.ts';
import { endpointRouter } from './http/router.ts';

const securityHeaders = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginResourcePolicy: { policy: 'same-site' },
});

/** Refuses requests without exactly one Host header (RFC 9112, section 3.2). */
const requireOneHost: RequestHandler = (req, _res, next) => {
  const hosts = req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && req.httpVersion !== '1.0')) {
    throw new HttpError('INVALID_REQUEST', 'The request must have one Host header.');
  }
  next();
};

/** Answers 404 `DOCUMENT_NOT_FOUND` to a document id with broken percent-encoding, as to every other unknown id. */
const malformedDocumentId: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
  next(error instanceof URIError ? new AppError('DOCUMENT_NOT_FOUND', errorTable.DOCUMENT_NOT_FOUND.message) : error);
};

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const openApiOf = ({ publicUrl }: Composition['config']): Service['openApi'] => {
  const json = Buffer.from(JSON.stringify(openApiDocument({ serverUrl: publicUrl, version })));
  return { json, version: createHash('sha256').update(json).digest('hex').slice(0, 32) };
};

export interface AppOptions {
  readonly shutdown?: Shutdown;
  readonly rate?: MinimumRate; // of request bodies
  readonly eventPollMs?: number; // how often each event stream reads the database
}

// The worker may run in another process, so event streams poll the database: two small reads each time.
const EVENT_POLL_MS = 500;

/** Creates the HTTP API as an Express application, for {@link serve} or for another application that mounts it. */
export const createApp = (
  composition: Composition,
  { shutdown = { stopping: false }, rate, eventPollMs = EVENT_POLL_MS }: AppOptions = {},
): Express => {
  const { useCases, config, log } = composition;
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustProxy);
  app.set('etag', false);
  app.use(requestContext(log), securityHeaders, requireOneHost, minimumRate(log, rate));
  if (config.corsOrigins.length > 0) app.use(crossOrigin(config.corsOrigins));
  // This also covers paths that do not exist, so that a client without a token cannot find out which paths exist.
  app.use('/v1/documents', requireToken(useCases));
  const service: Service = {
    ...composition,
    shutdown,
    eventPollMs,
    openApi: openApiOf(config),
    streamSlots: createStreamSlots(),
    largeBodySlots: createLargeBodySlots(),
  };
  app.use(endpointRouter(endpoints, service));
  app.use('/v1/documents', malformedDocumentId);
  app.use(notFound);
  app.use(errorHandler(log));
  return app;
};
