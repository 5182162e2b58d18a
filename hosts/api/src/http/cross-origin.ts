import cors from 'cors';
import type { RequestHandler } from 'express';

/** Allows web pages of these origins to call the API (CORS). */
export const crossOrigin = (origins: readonly string[]): RequestHandler => {
  const allowOrigins = cors({
    origin: [...origins],
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
  return (req, res, next) => {
    // Without an Origin header, the request needs no CORS, and OPTIONS is not a preflight request but lists the
    // methods.
    if (req.get('origin') === undefined) next();
    else allowOrigins(req, res, next);
  };
};
