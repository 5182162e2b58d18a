import type { Composition } from '@palimpsest/composition';
import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { authRoutes } from './auth-routes.ts';
import { documentsRoutes } from './documents-routes.ts';
import { errorHandler, HttpError, notFound } from './error-response.ts';
import { healthRoutes, type Readiness } from './health-routes.ts';
import { mailLinkPages } from './mail-link-pages.ts';
import { minimumRate, type MinimumRate } from './minimum-rate.ts';
import { openApiRoutes } from './openapi/openapi-routes.ts';
import { requestContext } from './request-context.ts';

const securityHeaders = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginResourcePolicy: { policy: 'same-site' },
});

/** A request names the host that it is for, once (RFC 9112, section 3.2). */
const oneHost: RequestHandler = (req, _res, next) => {
  const hosts = req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && req.httpVersion !== '1.0')) {
    throw new HttpError('INVALID_REQUEST', 'The request must have one Host header.');
  }
  next();
};

/** The HTTP API as an Express application, to be served by {@link serve} or mounted in another one. */
export const createApp = (
  { useCases, ports, config, log }: Composition,
  { readiness = { stopping: false }, rate }: { readiness?: Readiness; rate?: MinimumRate } = {},
): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustProxy);
  app.set('etag', false);
  app.use(requestContext(log), securityHeaders, oneHost, minimumRate(log, rate));
  if (config.corsOrigins.length > 0) {
    const allowOrigins = cors({
      origin: [...config.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      exposedHeaders: [
        'X-Request-Id',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'Content-Disposition',
        'ETag',
        'Content-Range',
        'Accept-Ranges',
      ],
      maxAge: 600,
    });
    app.use((req, res, next) => {
      // Without an origin it is no web page that asks, and OPTIONS no preflight.
      if (req.get('origin') === undefined) next();
      else allowOrigins(req, res, next);
    });
  }
  app.use(healthRoutes({ ports, log }, readiness));
  app.use(mailLinkPages());
  app.use('/v1/auth', authRoutes(useCases));
  app.use('/v1/documents', documentsRoutes(useCases, readiness));
  app.use(openApiRoutes({ serverUrl: config.publicUrl }));
  app.use(notFound);
  app.use(errorHandler(log));
  return app;
};
