import type { IncomingMessage } from 'node:http';
import type { Logger } from '@palimpsest/composition';
import type { RequestHandler } from 'express';
import { sendError } from '../error-response.ts';
import { HttpError } from '../http-error.ts';

/** The lowest rate at which a request body may arrive, as the average over an interval. */
export interface MinimumRate {
  readonly bytesPerSecond: number;
  readonly intervalMs: number;
}

export const defaultMinimumRate: MinimumRate = { bytesPerSecond: 8 * 1024, intervalMs: 10_000 };

const restarts = new WeakMap<IncomingMessage, () => void>();

/** Starts a new interval when the service begins to read a body that had to wait. */
export const restartRateMeasurement = (req: IncomingMessage): void => restarts.get(req)?.();

/** Refuses bodies that arrive too slowly, so that a few slow clients cannot occupy all connections. */
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
      // A paused request is not slow, because the service itself does not read it at the moment.
      if (req.complete || res.headersSent || req.isPaused()) return;
      if (received < (bytesPerSecond * intervalMs) / 1000) {
        stop();
        // A body parser may be reading the request now. Then next() would have no effect.
        sendError(log, new HttpError('REQUEST_TIMEOUT'), req, res);
      }
    };
    let timer = setInterval(check, intervalMs).unref();
    const stop = (): void => {
      clearInterval(timer);
      restarts.delete(req);
    };
    restarts.set(req, () => {
      clearInterval(timer);
      before = socket.bytesRead;
      timer = setInterval(check, intervalMs).unref();
    });
    req.once('end', stop);
    req.once('close', stop);
    res.once('close', stop);
    next();
  };
