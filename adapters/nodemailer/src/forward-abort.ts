import type { Cancellation } from '@palimpsest/core';

/** What `signal` aborts, as the platform's own kind; `stop` aborts it as well, and `release` leaves `signal` alone again. */
export const forwardAbort = (
  signal: Cancellation,
): { readonly signal: AbortSignal; readonly stop: () => void; readonly release: () => void } => {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return { signal: controller.signal, stop, release: () => signal.removeEventListener('abort', stop) };
};
