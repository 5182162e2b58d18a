import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const waiting = new WeakSet<IncomingMessage>();

/**
 * Has requests with `Expect: 100-continue` answered before their body is asked for: `100 Continue` is sent only by
 * {@link continueSending}, so that a refusal costs the client nothing (RFC 9110, section 10.1.1).
 */
export const deferContinue = (server: Server): void => {
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    waiting.add(req);
    server.emit('request', req, res);
  });
};

/** Tells a client that waits for it to go on with the body. */
export const continueSending = (req: IncomingMessage, res: ServerResponse): void => {
  if (waiting.delete(req)) res.writeContinue();
};
