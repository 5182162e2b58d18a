import type { AccessClaims } from '@palimpsest/core';
import type { UseCases } from '@palimpsest/composition';
import type { Request, RequestHandler, Response } from 'express';
import { authenticationRequired } from './error-response.ts';

const BEARER = /^Bearer +([^\s]+) *$/i;

/** The token of a request, `undefined` if it brought none. */
export const bearerToken = (req: Request): string | undefined => BEARER.exec(req.get('authorization') ?? '')?.[1];

/** Lets only requests with a good access token pass (RFC 6750, section 2.1). */
export const requireActor =
  ({ authenticate }: Pick<UseCases, 'authenticate'>): RequestHandler =>
  async (req, res, next) => {
    const token = bearerToken(req);
    if (token === undefined) throw authenticationRequired();
    res.locals['actor'] = await authenticate(token);
    next();
  };

/** Who asks, in a handler behind {@link requireActor}. */
export const actorOf = (res: Response): AccessClaims => res.locals['actor'] as AccessClaims;
