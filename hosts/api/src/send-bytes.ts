import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';

/** Streams a body, as fast as the client reads it. What is asked for by HEAD is answered without it. */
export const sendStream = async (req: Request, res: Response, open: () => AsyncIterable<Uint8Array | string>): Promise<void> => {
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  await pipeline(Readable.from(open(), { objectMode: false }), res);
};

/** A signal that is aborted when the client goes before it was answered. */
export const whileWaiting = (res: Response): AbortSignal => {
  const controller = new AbortController();
  res.once('close', () => controller.abort(new Error('the client is gone')));
  return controller.signal;
};
