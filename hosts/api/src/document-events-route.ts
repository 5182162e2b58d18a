import { setTimeout as delay } from 'node:timers/promises';
import type { UseCases } from '@palimpsest/composition';
import { AppError, isAppError, type AccessClaims, type DocumentProgress } from '@palimpsest/core';
import type { Request, RequestHandler, Response, Router } from 'express';
import { actorOf, bearerToken } from './authenticate.ts';
import type { Readiness } from './health-routes.ts';
import { presentProgress } from './presenters.ts';
import { parameter, route } from './routing.ts';
import { whileWaiting } from './send-bytes.ts';

// The worker may be another process, so the database is asked. A listener costs two small reads each time.
const LOOK_EVERY_MS = 500;
const HEARTBEAT_MS = 15_000; // shorter than proxies let a silent connection live
const STREAMS_PER_ACCOUNT = 50;
const TRY_AGAIN_MS = 5_000;

const eventOf = (progress: DocumentProgress): string =>
  `event: status\nid: ${progress.version}\ndata: ${JSON.stringify(presentProgress(progress))}\n\n`;

/** What is shown of a document; the rest (attempts, leases) changes more often. */
const shown = (progress: DocumentProgress): string => JSON.stringify(presentProgress(progress));

/** Counts the open streams of each account, so that none can hold all of them. */
const streamLimit = () => {
  const open = new Map<string, number>();
  return (accountId: string, res: Response): void => {
    const count = open.get(accountId) ?? 0;
    if (count >= STREAMS_PER_ACCOUNT) {
      throw new AppError(
        'RATE_LIMITED',
        `At most ${STREAMS_PER_ACCOUNT} documents can be watched at once. Close a stream first.`,
        {
          retryAfterMs: TRY_AGAIN_MS,
        },
      );
    }
    if (res.closed || res.destroyed) return;
    open.set(accountId, count + 1);
    res.once('close', () => {
      const left = (open.get(accountId) ?? 1) - 1;
      if (left === 0) open.delete(accountId);
      else open.set(accountId, left);
    });
  };
};

/** Whether what went wrong only means that there is nothing more to tell: the document or the session is gone. */
const isEnd = (error: unknown): boolean =>
  isAppError(error, 'DOCUMENT_NOT_FOUND', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'AUTHENTICATION_REQUIRED');

/**
 * `GET /:id/events`: the status of a document as server-sent events (WHATWG HTML, section 9.2), one at once and one at
 * each change, until it is completed or failed, deleted, or the session ends. A reader that comes back after the end, as
 * `EventSource` does by itself, is answered 204, which tells it to stop.
 */
export const documentEventsRoute = (router: Router, useCases: UseCases, readiness: Readiness): void => {
  const countStream = streamLimit();

  const follow = async (req: Request, res: Response, actor: AccessClaims, first: DocumentProgress): Promise<void> => {
    const gone = whileWaiting(res);
    const isOn = (): boolean => !gone.aborted && !readiness.stopping;
    let last = first;
    let silentMs = 0;
    res.write(eventOf(first));
    while (isOn() && !last.isOver) {
      await delay(LOOK_EVERY_MS);
      if (!isOn()) break;
      silentMs += LOOK_EVERY_MS;
      await useCases.authenticate(bearerToken(req) ?? '');
      const next = await useCases.documentProgress(actor, first.id);
      if (shown(next) !== shown(last)) {
        res.write(eventOf(next));
        silentMs = 0;
      } else if (silentMs >= HEARTBEAT_MS) {
        res.write(': still here\n\n');
        silentMs = 0;
      }
      last = next;
    }
  };

  const handler: RequestHandler = async (req, res) => {
    const actor = actorOf(res);
    const first = await useCases.documentProgress(actor, parameter(req, 'id'));
    if (first.isOver && req.get('last-event-id') === String(first.version)) {
      res.status(204).end();
      return;
    }
    res.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    if (req.method === 'HEAD') {
      res.end();
      return;
    }
    countStream(actor.accountId, res);
    res.flushHeaders();
    try {
      await follow(req, res, actor, first);
    } catch (error) {
      if (!isEnd(error)) throw error;
    }
    res.end();
  };

  route(router, '/:id/events', { get: [handler] });
};
