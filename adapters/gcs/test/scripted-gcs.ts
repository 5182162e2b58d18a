import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ScriptedBucket, type Answer, type Operation } from './scripted-bucket.ts';

/** What goes wrong with one request. */
export type Fault =
  | 'stall' // no answer ever
  | {
      readonly status?: number; // instead of its answer, with this text
      readonly text?: string;
      readonly done?: boolean; // whether the work is done nevertheless
      readonly reset?: 'before' | 'after'; // the work
      readonly takeOnly?: number; // bytes of its body, then a reset
      readonly giveOnly?: number; // bytes of the answer, then its end
      readonly meanwhile?: () => void;
      readonly giveThenStall?: number; // bytes of the answer, which then has no end
      readonly change?: (answer: Answer, bucket: ScriptedBucket) => Answer;
    };

const operationOf = (request: IncomingMessage, url: URL): Operation => {
  if (url.pathname.startsWith('/upload/')) {
    if (request.method === 'POST') return url.searchParams.get('uploadType') === 'multipart' ? 'insert' : 'start';
    if (request.method === 'DELETE') return 'cancel';
    return request.headers['content-range'] === 'bytes */*' ? 'query' : 'chunk';
  }
  if (url.pathname.endsWith('/iam/testPermissions')) return 'permissions';
  if (url.pathname.endsWith('/o')) return 'list';
  if (request.method === 'DELETE') return 'delete';
  return url.searchParams.get('alt') === 'media' ? 'media' : 'metadata';
};

/** A {@link ScriptedBucket} behind HTTP, which fails exactly where it is told. */
export class ScriptedGcs {
  readonly bucket = new ScriptedBucket();
  readonly apiEndpoint: string;
  readonly seen: Operation[] = [];
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

  /** The next requests of this kind fail so, one after the other. */
  fail(operation: Operation, ...faults: Fault[]): void {
    this.#faults.set(operation, faults);
  }

  /** Shows each request as it comes. */
  watch(show: (request: IncomingMessage) => void): void {
    this.#server.on('request', show);
  }

  /** How many connections there are on which something is under way. Closes the others. */
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
    if (fault === 'stall') return void request.resume();
    const { reset, status, done, text, takeOnly, giveOnly, giveThenStall, meanwhile, change } = fault ?? {};
    if (reset === 'before') return void request.socket.resetAndDestroy();
    const whole = Buffer.concat(await request.toArray());
    const body = whole.subarray(0, takeOnly);
    if (status !== undefined && !done) return void response.writeHead(status).end(text);
    const range = request.headers['content-range'] ?? request.headers.range;
    const asked = this.bucket.answer({ operation, url, range, body });
    if (reset === 'after' || takeOnly !== undefined) return void request.socket.resetAndDestroy();
    if (status !== undefined) return void response.writeHead(status).end(text);
    const answer = change?.(asked, this.bucket) ?? asked;
    response.writeHead(answer.status, answer.headers);
    if (giveThenStall !== undefined) return void response.write(answer.body.subarray(0, giveThenStall));
    if (giveOnly === undefined) return void response.end(answer.body);
    meanwhile?.();
    response.write(answer.body.subarray(0, giveOnly), () => setImmediate(() => request.socket.destroy()));
  }
}

/** Opens a {@link ScriptedGcs} on a free port of 127.0.0.1. */
export const openScriptedGcs = async (): Promise<ScriptedGcs> => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new ScriptedGcs(server);
};
