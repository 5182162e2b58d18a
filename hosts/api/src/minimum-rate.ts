import type { IncomingMessage } from 'node:http';
import type { Logger } from '@palimpsest/composition';
import type { RequestHandler } from 'express';
import { HttpError, sendError } from './error-response.ts';

/** How slowly a request body may arrive: averaged over each interval after the first. */
export interface MinimumRate {
  readonly bytesPerSecond: number;
  readonly intervalMs: number;
}

export const defaultMinimumRate: MinimumRate = { bytesPerSecond: 8 * 1024, intervalMs: 10_000 };

const beginnings = new WeakMap<IncomingMessage, () => void>();

/** Measures the body from now on: for a request that was not read before, so that the client had nothing to send. */
export const measureAnew = (req: IncomingMessage): void => beginnings.get(req)?.();

/** Ends requests whose bodies trickle in, so that a few slow senders cannot hold all connections. */
export const minimumRate =
  (log: Logger, { bytesPerSecond, intervalMs }: MinimumRate = defaultMinimumRate): RequestHandler =>
  (req, res, next) => {
    if (req.complete) {
      next();
      return;
    }
    const { socket } = req;
    let before = socket.bytesRead;
    const check = (): void => {
      const received = socket.bytesRead - before;
      before = socket.bytesRead;
      // A paused request is one that we do not read at the moment: not the sender's fault.
      if (req.complete || res.headersSent || req.isPaused()) return;
      if (received < (bytesPerSecond * intervalMs) / 1000) {
        stop();
        // Whoever reads the body has the request now: the answer is given from here.
        const late = new HttpError(
          'REQUEST_TIMEOUT',
          'The body arrived too slowly. Send it again over a faster connection.',
        );
        sendError(log, late, req, res);
      }
    };
    let watch = setInterval(check, intervalMs).unref();
    const stop = (): void => {
      clearInterval(watch);
      beginnings.delete(req);
    };
    beginnings.set(req, () => {
      clearInterval(watch);
      before = socket.bytesRead;
      watch = setInterval(check, intervalMs).unref();
    });
    req.once('end', stop);
    req.once('close', stop);
    res.once('close', stop);
    next();
  };
