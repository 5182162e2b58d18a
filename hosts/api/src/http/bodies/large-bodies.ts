import { FairSemaphore, type Release } from '@palimpsest/core';
import type { Request, RequestHandler, Response } from 'express';
import { actorOf } from '../authentication.ts';
import { ClientDisconnected, disconnectSignal } from '../send-bytes.ts';
import { restartRateMeasurement } from './minimum-rate.ts';

/** The slots of the large bodies. Each needs about 100 MB while it is parsed. One account cannot occupy all slots. */
export const createLargeBodySlots = (): FairSemaphore => new FairSemaphore({ slots: 4, slotsPerOwner: 2 });

/** A client that does not read its response loses its slot after this time, so that it does not block others. */
const MAX_HANDLING_MS = 30_000;

/** Releases the slot when the response is closed, or {@link MAX_HANDLING_MS} after the whole body arrived. */
const releaseLater = (req: Request, res: Response, release: Release): void => {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    req.off('end', startTimer);
    res.off('close', end);
    release();
  };
  const startTimer = (): void => {
    timer = setTimeout(end, MAX_HANDLING_MS).unref();
  };
  req.once('end', startTimer);
  res.once('close', end);
};

/** Waits for a slot before the service reads a large body. */
export const waitForLargeBodySlot =
  (slots: FairSemaphore): RequestHandler =>
  async (req, res, next) => {
    req.pause();
    const release = await slots.acquire(actorOf(res)?.accountId ?? '', disconnectSignal(res));
    if (res.closed || res.destroyed) {
      release();
      throw new ClientDisconnected();
    }
    releaseLater(req, res, release);
    restartRateMeasurement(req);
    req.resume();
    next();
  };
