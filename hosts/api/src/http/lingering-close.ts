import type { Request, Response } from 'express';

const LINGER_MS = 2_000;
const LINGER_BYTES = 1024 * 1024;

export const hasUnreadBody = (req: Request): boolean =>
  !req.complete && (req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0);

/**
 * Sends a complete JSON response while the client is still sending its body, and closes the connection. The service
 * reads and discards the rest of the body for a short time. Otherwise the client would get a connection reset instead
 * of the response (RFC 9112, section 9.6).
 */
export const sendAndClose = (req: Request, res: Response, body: string): void => {
  res.set('Connection', 'close').set('Content-Type', 'application/json; charset=utf-8');
  res.set('Content-Length', String(Buffer.byteLength(body)));
  let isClosing = false;
  const close = (): void => {
    if (isClosing) return;
    isClosing = true;
    clearTimeout(timer);
    res.end();
    req.socket.destroySoon();
  };
  const timer = setTimeout(close, LINGER_MS);
  let discarded = 0;
  req.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > LINGER_BYTES) close();
  });
  req.once('end', close);
  req.once('close', close);
  req.on('error', close);
  res.write(body);
  req.resume();
};
