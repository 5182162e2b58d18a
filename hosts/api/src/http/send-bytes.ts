import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';

async function* concat<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/**
 * Streams a body, as fast as the client reads it. A HEAD request gets no body. After an error before the first chunk,
 * the caller can still send an error response. A later error closes the connection.
 */
export const sendStream = async (
  req: Request,
  res: Response,
  open: () => AsyncIterable<Uint8Array | string>,
): Promise<void> => {
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  const chunks = open()[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) {
    res.end();
    return;
  }
  try {
    await pipeline(Readable.from(concat(first.value, chunks), { objectMode: false }), res);
  } finally {
    await chunks.return?.();
  }
};

/** Sends bytes with their length. For a HEAD request, `make` is not called and no body is sent. */
export const sendBytes = async (req: Request, res: Response, make: () => Promise<Uint8Array>): Promise<void> => {
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  const bytes = await make();
  res.set('Content-Length', String(bytes.length)).end(bytes);
};

/** A signal that aborts when the client disconnects before it has the whole response. */
export const disconnectSignal = (res: Response): AbortSignal => {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new ClientDisconnected());
  if (res.closed || res.destroyed) abort();
  else res.once('close', abort);
  return controller.signal;
};

/** The reason why the service stops work for a client that disconnected. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';

  constructor() {
    super('the client closed the connection');
  }
}
