import type { LimitState, RequestSource } from '@palimpsest/core';
import type { Request, Response } from 'express';
import { clientOfRequest } from './client-address.ts';

const seconds = (ms: number): number => Math.ceil(ms / 1000);

const policy = ({ name, max, windowMs }: LimitState): string => `"${name}";q=${max};w=${seconds(windowMs)}`;
const state = ({ name, remaining, resetMs }: LimitState): string => `"${name}";r=${remaining};t=${seconds(resetMs)}`;

/**
 * The source of a request, for use cases with a rate limit. They report the state of the limits, and `onLimits` sets
 * the headers `RateLimit-Policy` and `RateLimit` (IETF draft-ietf-httpapi-ratelimit-headers-10).
 */
export const requestSource = (req: Request, res: Response): RequestSource => ({
  client: clientOfRequest(req),
  onLimits: (states) => {
    res.set('RateLimit-Policy', states.map(policy).join(', ')).set('RateLimit', states.map(state).join(', '));
  },
});
