import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ScriptedBucket, type Answer, type Operation } from './scripted-bucket.ts';

/** A fault of one request. With 'stall', the server never answers. */
export type Fault =
  | 'stall'
  | {
      readonly status?: number; // answers this status with `text`
      readonly text?: string;
      readonly isEarly?: boolean; // answers `status` before it reads the body
      readonly isDone?: boolean; // executes the operation although it answers `status`
      readonly reset?: 'before' | 'after'; // resets the connection before or after the operation
      readonly resetAfterBytes?: number; // resets the connection after so many bytes of the body
      readonly closeAfterBytes?: number; // closes the connection after so many bytes of the answer
      readonly stallAfterBytes?: number; // stalls after so many bytes of the answer
      readonly beforeAnswer?: () => void; // is called before the bytes of `closeAfterBytes` are sent
      readonly change?: (answer: Answer, bucket: ScriptedBucket) => Answer;
    };

const operationOf = (request: IncomingMessage, url: URL): Operation => {
  if (url.pathname.startsWith('/upload/')) return 'insert';
  if (url.pathname.endsWith('/iam/testPermissions')) return 'permissions';
  if (url.pathname.endsWith('/o')) return 'list';
  if (request.method === 'DELETE') return 'delete';
  return url.searchParams.get('alt') === 'media' ? 'media' : 'metadata';
};

/** A {@link ScriptedBucket} behind HTTP. The test scripts which requests fail. */
export class ScriptedGcs {
  readonly bucket = new ScriptedBucket();
  readonly apiEndpoint: string;
  readonly seen: Operation[] = [];
  onStall = (): void => {}; // is called when a request stalls
  readonly sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #faults = new Map<Operation, Fault[]>();

  constructor(server: Server) {
    this.#server = server;
    this.apiEndpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#handle(request, response));
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    });
  }

  /** Scripts one fault for each of the next requests of this operation, in order. */
  fail(operation: Operation, ...faults: Fault[]): void {
    this.#faults.set(operation, faults);
  }

  /** Calls `listener` with each request when it arrives. */
  watch(listener: (request: IncomingMessage) => void): void {
    this.#server.on('request', listener);
  }

  /** The number of connections with a running request. Closes the others. */
  countBusy(): number {
    this.#server.closeIdleConnections();
    return this.sockets.size;
  }

  count(operation: Operation): number {
    return this.seen.filter((one) => one === operation).length;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.apiEndpoint);
    const operation = operationOf(request, url);
    this.seen.push(operation);
    const fault = this.#faults.get(operation)?.shift();
    if (fault === 'stall') {
      request.resume();
      this.onStall();
      return;
    }
    const {
      reset,
      status,
      isEarly,
      isDone,
      text,
      resetAfterBytes,
      closeAfterBytes,
      stallAfterBytes,
      beforeAnswer,
      change,
    } = fault ?? {};
    if (reset === 'before') return void request.socket.resetAndDestroy();
    if (isEarly && status !== undefined) return void response.writeHead(status, { connection: 'close' }).end(text);
    if (resetAfterBytes !== undefined) {
      let received = 0;
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received >= resetAfterBytes) request.socket.resetAndDestroy();
      });
      return;
    }
    const body = Buffer.concat(await request.toArray());
    if (status !== undefined && !isDone) return void response.writeHead(status).end(text);
    const planned = this.bucket.answer({ operation, url, range: request.headers.range, body });
    if (reset === 'after') return void request.socket.resetAndDestroy();
    if (status !== undefined) return void response.writeHead(status).end(text);
    const answer = change?.(planned, this.bucket) ?? planned;
    response.writeHead(answer.status, answer.headers);
    if (stallAfterBytes !== undefined) {
      response.write(answer.body.subarray(0, stallAfterBytes), () => setImmediate(this.onStall));
      return;
    }
    if (closeAfterBytes === undefined) return void response.end(answer.body);
    beforeAnswer?.();
    response.write(answer.body.subarray(0, closeAfterBytes), () => setImmediate(() => request.socket.destroy()));
  }
}

/** Opens a {@link ScriptedGcs} on a free port of 127.0.0.1. */
export const openScriptedGcs = async (): Promise<ScriptedGcs> => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new ScriptedGcs(server);
};
