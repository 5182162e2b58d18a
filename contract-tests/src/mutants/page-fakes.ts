import { AppError } from '@palimpsest/core';
import type { Cancellation, ErrorCode, GreyImage } from '@palimpsest/core';

/** Waits a turn, as work in another process does, and gives up as the ports ask for. */
export const takeTurn = async (signal: Cancellation): Promise<void> => {
  signal.throwIfAborted();
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
};

/** Whether two images are the same, pixel by pixel. */
export const isSameImage = (a: GreyImage, b: GreyImage): boolean =>
  a.width === b.width && a.height === b.height && a.data.every((value, i) => value === b.data[i]);

/** A refusal whose message does not matter. */
export const refusal = (code: ErrorCode): AppError => new AppError(code, 'It cannot be read.');
