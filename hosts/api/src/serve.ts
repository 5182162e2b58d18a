import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Composition } from '@palimpsest/composition';
import { createApp } from './app.ts';
import { deferContinue } from './expect-continue.ts';

/** A running HTTP server. */
export interface Served {
  readonly url: string; // with the port that it really listens on
  /** Not ready from now on; no new connections; requests in hand get `graceMs` to finish. */
  stop(graceMs: number): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 75_000; // longer than proxies and clients keep theirs, so that they never send into a closing one
const CLOSE_IDLE_EVERY_MS = 50;
const REQUEST_TIMEOUT_MS = 2 * 3_600_000; // bodies are bounded by their rate, see minimum-rate.ts

const parserFaults: Readonly<Record<string, { status: number; code: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    message: 'The headers of the request are too large. Send fewer or shorter ones.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'REQUEST_TIMEOUT',
    message: 'The request arrived too slowly. Send it again.',
  },
};
const MALFORMED = { status: 400, code: 'INVALID_REQUEST', message: 'The request is not valid HTTP.' };

/** Answers what is not even HTTP with the error object too. */
const answerMalformed = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, code, message } = parserFaults[error.code ?? ''] ?? MALFORMED;
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

/** Serves the API where the configuration says. Throws what listening throws (the port is taken, …). */
export const serve = async (composition: Composition): Promise<Served> => {
  const readiness = { stopping: false };
  const server = createServer({ requireHostHeader: false }, createApp(composition, { readiness }));
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
      readiness.stopping = true;
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      // Connections that answer their last request fall idle later.
      const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(closing);
      clearTimeout(late);
    },
  };
};
