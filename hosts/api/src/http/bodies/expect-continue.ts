import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const waiting = new WeakSet<IncomingMessage>();

/**
 * Does not send `100 Continue` before {@link sendContinue} is called, so that a refused client does not send its body
 * (RFC 9110, section 10.1.1).
 */
export const deferContinue = (server: Server): void => {
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    waiting.add(req);
    server.emit('request', req, res);
  });
};

/** Sends `100 Continue` if the client waits for it before it sends the body. */
export const sendContinue = (req: IncomingMessage, res: ServerResponse): void => {
  if (waiting.delete(req)) res.writeContinue();
};
