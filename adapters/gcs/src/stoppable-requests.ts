import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

const stopped = new AsyncLocalStorage<AbortSignal>();

/**
 * The client hands no signal to its requests, and the time that it does hand goes to a library that knows none. What is
 * not answered would hold its connection for ever, and could still be carried out when its failure has been told. So each
 * request is taken hold of where Node tells that it is made
 * (https://nodejs.org/api/diagnostics_channel.html#event-httpclientrequestcreated).
 */
subscribe('http.client.request.created', (message) => {
  const signal = stopped.getStore();
  if (!signal) return;
  const { request } = message as { request: ClientRequest };
  const stop = (): void => void request.destroy(new Error('A request was given up', { cause: signal.reason }));
  if (signal.aborted) {
    process.nextTick(stop); // when those who made it listen
    return;
  }
  signal.addEventListener('abort', stop, { once: true });
  request.once('close', () => signal.removeEventListener('abort', stop));
});

/** Does `work`; the requests that it makes, also later, end with `signal`. */
export const stoppedBy = <T>(signal: AbortSignal, work: () => T): T => stopped.run(signal, work);
