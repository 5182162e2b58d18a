import type { AccessClaims } from '@palimpsest/core';
import type { UseCases } from '@palimpsest/composition';
import type { Request, RequestHandler, Response } from 'express';
import { authenticationRequired } from './http-error.ts';

const BEARER = /^Bearer +([^\s]+) *$/i;

/** The bearer token of a request, `undefined` if it has none. */
export const bearerToken = (req: Request): string | undefined => BEARER.exec(req.get('authorization') ?? '')?.[1];

/** Refuses requests without a valid access token (RFC 6750, section 2.1). */
export const requireToken =
  ({ authenticate }: Pick<UseCases, 'authenticate'>): RequestHandler =>
  async (req, res, next) => {
    if (res.locals['actor'] === undefined) {
      const token = bearerToken(req);
      if (token === undefined) throw authenticationRequired();
      res.locals['actor'] = await authenticate(token);
    }
    next();
  };

/** The account and session of the access token. `undefined` if {@link requireToken} did not run for this request. */
export const actorOf = (res: Response): AccessClaims | undefined => res.locals['actor'] as AccessClaims | undefined;
