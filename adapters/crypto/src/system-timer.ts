import type { Cancellation, Timer } from '@palimpsest/core';

/** The timer of the platform. */
export class SystemTimer implements Timer {
  async wait(ms: number, signal: Cancellation): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    // A timer of Node may end up to a millisecond early.
    const timeout = setTimeout(resolve, Math.ceil(ms) + 1);
    signal.addEventListener('abort', resolve, { once: true });
    await promise;
    clearTimeout(timeout);
    signal.removeEventListener('abort', resolve);
  }
}
