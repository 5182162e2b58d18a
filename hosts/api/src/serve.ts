import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Composition } from '@palimpsest/composition';
import { createApp, type AppOptions } from './app.ts';
import { deferContinue } from './http/bodies/expect-continue.ts';
import { errorTable, type HttpCode } from './http/error-table.ts';

/** A running HTTP server. */
export interface Served {
  readonly url: string; // with the actual port, also if the configured port is 0
  /**
   * Refuses new connections, answers 503 to `/readyz`, and closes the connections of requests that last over `graceMs`.
   */
  stop(graceMs: number): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 30_000;
// Longer than the idle timeouts of proxies and clients, so that they do not send a request while the server closes the
// connection.
const KEEP_ALIVE_MS = 75_000;
const CLOSE_IDLE_EVERY_MS = 50;
const REQUEST_TIMEOUT_MS = 2 * 3_600_000; // minimum-rate.ts limits slow bodies

const parserErrors: Readonly<Record<string, HttpCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Answers requests that are not valid HTTP with the error object. Node would answer them without a body. */
const answerMalformed = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = parserErrors[error.code ?? ''] ?? 'INVALID_REQUEST';
    const { status, message } = errorTable[code];
    const body = JSON.stringify({ error: { code, message } });
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
};

const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });

/** Serves the API at the configured address. Throws the error of the socket, for example if the port is in use. */
export const serve = async (composition: Composition, options: Omit<AppOptions, 'shutdown'> = {}): Promise<Served> => {
  const shutdown = { stopping: false };
  const server = createServer({ requireHostHeader: false }, createApp(composition, { ...options, shutdown }));
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  deferContinue(server);
  answerMalformed(server);
  const { port, host } = composition.config;
  const address = await listen(server, port, host);
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shownHost}:${address.port}`,
    stop: async (graceMs) => {
      shutdown.stopping = true;
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      // Connections become idle one after the other, each after its last response.
      const closeIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
      server.closeIdleConnections();
      const forceClose = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(closeIdle);
      clearTimeout(forceClose);
    },
  };
};
