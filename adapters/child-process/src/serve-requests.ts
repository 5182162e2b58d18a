import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '@palimpsest/core';
import { siblingModule } from './sibling-module.ts';
import type { Refusal, RequestMessage, ResponseMessage } from './wire.ts';

const describeFault = (fault: unknown): string =>
  fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);

const toRefusal = (error: unknown): Refusal =>
  error instanceof AppError
    ? {
        code: error.code,
        message: error.message,
        spoilt: error.cause !== undefined,
        ...(error.cause !== undefined && { cause: describeFault(error.cause) }),
      }
    : { message: describeFault(error), spoilt: true };

/**
 * Makes this child process answer the requests of its pool, one after the other, with what `handle` resolves with. An
 * `AppError` reaches the caller as it is; one with a `cause` says that the engine itself failed, so that the child is
 * not used again; anything else thrown becomes `ENGINE_CRASHED`. The child ends when its parent does, even in the
 * middle of a synchronous computation. To be called once, at the start of a child's script.
 */
export const serveRequests = (handle: (request: never) => Promise<unknown>): void => {
  const send = process.send?.bind(process);
  if (send === undefined) throw new TypeError('This script is run as the child of a ChildPool only.');
  // Whoever answers people on this machine comes first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  // A blocked event loop never sees `disconnect`: a thread of its own looks for the parent.
  new Worker(siblingModule('parent-watch', import.meta.url), { stdin: false }).unref();
  process.on('disconnect', () => process.exit(0));

  let previous: Promise<unknown> = Promise.resolve();
  const answer = async ({ id, request }: RequestMessage<never>): Promise<void> => {
    let response: ResponseMessage<unknown>;
    try {
      response = { id, result: await handle(request) };
    } catch (error) {
      response = { id, refusal: toRefusal(error) };
    }
    send(response);
  };
  process.on('message', (message: RequestMessage<never>) => {
    previous = previous.then(() => answer(message));
  });
};
