import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const waiting = new WeakSet<IncomingMessage>();

/**
 * Delays `100 Continue` for requests with `Expect: 100-continue`, so that a refused client does not send its body
 * (RFC 9110, section 10.1.1). {@link sendContinue} sends it.
 */
export const deferContinue = (server: Server): void => {
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    waiting.add(req);
    server.emit('request', req, res);
  });
};

/** Asks a client that waits for `100 Continue` to send its body. */
export const sendContinue = (req: IncomingMessage, res: ServerResponse): void => {
  if (waiting.delete(req)) res.writeContinue();
};
