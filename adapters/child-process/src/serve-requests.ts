import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '@palimpsest/core';
import { siblingModule } from './sibling-module.ts';
import type { ReportedError, RequestMessage, ResponseMessage } from './wire.ts';

const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

const toReportedError = (error: unknown): ReportedError =>
  error instanceof AppError
    ? {
        code: error.code,
        message: error.message,
        isChildUsable: error.cause === undefined,
        ...(error.cause !== undefined && { cause: describeError(error.cause) }),
      }
    : { message: describeError(error), isChildUsable: false };

/**
 * Lets this child process answer the requests of its `ChildPool`, one after the other, with the results of `handle`.
 * The caller gets an `AppError` unchanged. An `AppError` with a `cause` means that the engine itself failed: the pool
 * replaces the child. The caller gets any other error as `ENGINE_CRASHED`. The child ends when its parent ends, even
 * during a synchronous computation. Call this once, at the start of the child's script.
 */
export const serveRequests = (handle: (request: never) => Promise<unknown>): void => {
  const send = process.send?.bind(process);
  if (send === undefined) throw new TypeError('This script must run as a child of a ChildPool.');
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL); // must not slow down the processes that answer users' requests
  // A synchronous computation blocks the `disconnect` event, so a thread watches the parent as well.
  new Worker(siblingModule('parent-watch', import.meta.url), { stdin: false }).unref();
  process.on('disconnect', () => process.exit(0));

  let previous: Promise<unknown> = Promise.resolve();
  const answer = async ({ id, request }: RequestMessage<never>): Promise<void> => {
    let response: ResponseMessage<unknown>;
    try {
      response = { id, result: await handle(request) };
    } catch (error) {
      response = { id, error: toReportedError(error) };
    }
    send(response);
  };
  process.on('message', (message: RequestMessage<never>) => {
    previous = previous.then(() => answer(message));
  });
};
