import type { Cancellation } from '@palimpsest/core';

/** An `AbortSignal` that aborts with `signal`, or when `stop` is called. `release` removes the listener from `signal`. */
export const forwardAbort = (
  signal: Cancellation,
): { readonly signal: AbortSignal; readonly stop: () => void; readonly release: () => void } => {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return { signal: controller.signal, stop, release: () => signal.removeEventListener('abort', stop) };
};
