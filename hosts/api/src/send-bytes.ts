import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';

/** Everything from `first` on. */
async function* from<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/**
 * Streams a body, as fast as the client reads it. What is asked for by HEAD is answered without it. An error before the
 * first piece is thrown while it can still be answered.
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
  const pieces = open()[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done === true) {
    res.end();
    return;
  }
  try {
    await pipeline(Readable.from(from(first.value, pieces), { objectMode: false }), res);
  } finally {
    await pieces.return?.();
  }
};

/** A signal that is aborted when the client goes before it was answered, or has gone already. */
export const whileWaiting = (res: Response): AbortSignal => {
  const controller = new AbortController();
  const leave = (): void => controller.abort(new ClientGone());
  if (res.closed || res.destroyed) leave();
  else res.once('close', leave);
  return controller.signal;
};

/** Why work for a client ends that has gone. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';

  constructor() {
    super('the client is gone');
  }
}
