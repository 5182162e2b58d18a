import { setTimeout as delay } from 'node:timers/promises';
import { AppError, FairSemaphore, isAppError, type AccessClaims, type DocumentProgress } from '@palimpsest/core';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { bearerToken } from '../http/authentication.ts';
import type { Service } from '../http/endpoint.ts';
import { count, documentId, documentStatus, type Answer } from '../http/openapi/formats.ts';
import { disconnectSignal } from '../http/send-bytes.ts';

const KEEP_ALIVE_MS = 15_000; // shorter than the timeouts of proxies for idle connections
const RETRY_AFTER_MS = 5_000;
export const MAX_STREAMS_PER_ACCOUNT = 50;

export const statusEvent = z
  .strictObject({
    id: documentId,
    status: documentStatus,
    pages_done: count.meta({ description: 'The number of processed pages.', examples: [3] }),
    pages_total: count
      .nullable()
      .meta({ description: 'The number of pages; null until it is known.', examples: [12, null] }),
  })
  .meta({ id: 'StatusEvent', description: 'The data of an event `status`.' });

/** The slots of the open event streams. The owner of a slot is an account. */
export const createStreamSlots = (): FairSemaphore =>
  new FairSemaphore(
    { slotsPerOwner: MAX_STREAMS_PER_ACCOUNT, maxWaitingPerOwner: 0 },
    () =>
      new AppError(
        'RATE_LIMITED',
        `At most ${MAX_STREAMS_PER_ACCOUNT} event streams can be open at the same time. Close a stream first.`,
        { retryAfterMs: RETRY_AFTER_MS },
      ),
  );

const dataOf = ({ id, status, pagesDone, pagesTotal }: DocumentProgress): string => {
  const data: Answer<typeof statusEvent> = { id, status, pages_done: pagesDone, pages_total: pagesTotal ?? null };
  return JSON.stringify(data);
};

const eventOf = (progress: DocumentProgress): string =>
  `event: status\nid: ${progress.version}\ndata: ${dataOf(progress)}\n\n`;

/** Whether the stream ends normally after this error: the document was deleted or the session ended. */
const isEnd = (error: unknown): boolean =>
  isAppError(error, 'DOCUMENT_NOT_FOUND', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'AUTHENTICATION_REQUIRED');

interface Stream {
  readonly service: Service;
  readonly actor: AccessClaims;
  readonly req: Request;
  readonly res: Response;
}

const follow = async ({ service, actor, req, res }: Stream, first: DocumentProgress): Promise<void> => {
  const { useCases, shutdown, eventPollMs } = service;
  const disconnected = disconnectSignal(res);
  const isOpen = (): boolean => !disconnected.aborted && !shutdown.stopping;
  let last = first;
  let silentMs = 0;
  res.write(eventOf(first));
  while (isOpen() && !last.isOver) {
    // This delay rejects only if the client disconnects.
    await delay(eventPollMs, undefined, { signal: disconnected }).catch(() => undefined);
    if (!isOpen()) break;
    silentMs += eventPollMs;
    await useCases.authenticate(bearerToken(req) ?? '');
    const next = await useCases.documentProgress(actor, first.id);
    // The version also changes with attempts and leases, which the event does not show.
    if (dataOf(next) !== dataOf(last)) {
      res.write(eventOf(next));
      silentMs = 0;
    } else if (silentMs >= KEEP_ALIVE_MS) {
      res.write(': still here\n\n');
      silentMs = 0;
    }
    last = next;
  }
};

/**
 * Sends the status of a document as server-sent events (WHATWG HTML, section 9.2): one event at once and one at each
 * change, until the document is completed, failed or deleted, or the session ends.
 */
export const sendStatusEvents = async (stream: Stream, first: DocumentProgress): Promise<void> => {
  const { service, actor, res } = stream;
  const release = await service.streamSlots.acquire(actor.accountId);
  try {
    res.flushHeaders();
    await follow(stream, first);
  } catch (error) {
    if (!isEnd(error)) throw error;
  } finally {
    release();
  }
  res.end();
};
