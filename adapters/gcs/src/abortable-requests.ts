import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

const signals = new AsyncLocalStorage<AbortSignal>();

/**
 * The client (8.4.0) passes no signal to its HTTP requests, and ignores its own timeout option. A request that is never
 * answered would occupy its connection forever. Therefore this module gets each request from the diagnostics channel of
 * Node (https://nodejs.org/api/diagnostics_channel.html#event-httpclientrequestcreated).
 */
subscribe('http.client.request.created', (message) => {
  const signal = signals.getStore();
  if (!signal) return;
  const { request } = message as { request: ClientRequest };
  const abort = (): void => void request.destroy(new Error('The request was aborted', { cause: signal.reason }));
  if (signal.aborted) {
    process.nextTick(abort); // after the client has added its listeners
    return;
  }
  signal.addEventListener('abort', abort, { once: true });
  request.once('close', () => signal.removeEventListener('abort', abort));
});

/** Runs `work`. When `signal` aborts, destroys all HTTP requests of `work`, including requests that it makes later. */
export const withAbortableRequests = <T>(signal: AbortSignal, work: () => T): T => signals.run(signal, work);
