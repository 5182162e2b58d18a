import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from './faults.ts';

/** The address of the backend, and which bytes are a request. */
export interface FaultProxyTarget {
  readonly host: string;
  readonly port: number;
  /**
   * Returns whether the bytes of a client begin a request that a fault may affect. Use it for protocols with heartbeats,
   * which must not use up faults. Other bytes pass, except after `dropConnections` and `refuseNext`. Default: the first bytes
   * of a connection and the first bytes after each answer begin a request.
   */
  readonly isRequest?: (bytes: Uint8Array) => boolean;
}

/** A connection of a client, and the connection to the backend behind it. */
interface ProxiedConnection {
  readonly client: Socket;
  readonly backend: Socket;
  readonly cut: AbortController; // aborted when the connection ends
  awaitsAnswer: boolean; // a request was sent and no byte of the answer has arrived
  dropsAnswer: boolean; // the answer to this request will be dropped
  hasBegunAnswer: boolean; // the backend has begun to answer the last request
}

/**
 * A TCP proxy on this machine in front of a backend that makes connections fail. Connect the adapter to `host` and `port`
 * of the proxy and return {@link FaultProxy.faults} with the opened adapter.
 */
export class FaultProxy {
  readonly host: string;
  readonly port: number;
  readonly #server: Server;
  readonly #target: FaultProxyTarget;
  readonly #open = new Set<ProxiedConnection>();
  #toRefuse = 0;
  #toFail = 0;
  #toLose = 0;
  #delayMs = 0;

  constructor(server: Server, target: FaultProxyTarget) {
    const { address, port } = server.address() as AddressInfo;
    this.host = address;
    this.port = port;
    this.#server = server;
    this.#target = target;
    server.on('connection', (client) => this.#pass(client));
  }

  /** The number of connected clients. */
  get connections(): number {
    return this.#open.size;
  }

  /** Resets all open connections. New ones can be made at once. */
  dropConnections(): void {
    for (const connection of this.#open) this.#cut(connection);
  }

  /** Resets the next `count` new connections (`Infinity`: all until `restore`). */
  refuseNext(count: number): void {
    this.#toRefuse = count;
  }

  /** Resets the connection at each of the next `count` requests before the backend receives it (`Infinity`: all until `restore`). */
  cutNext(count: number): void {
    this.#toFail = count;
  }

  /** Resets the connection when the backend answers each of the next `count` requests. The client receives no answer. */
  dropAfterAnswer(count = 1): void {
    this.#toLose = count;
  }

  /** Delays every answer of the backend by `ms` milliseconds (0: no delay). */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Ends all faults. Closed connections stay closed; answers that are already delayed stay delayed. */
  restore(): void {
    this.#toRefuse = this.#toFail = this.#toLose = this.#delayMs = 0;
  }

  /** The faults for the suites. */
  faults(): Faults {
    return {
      dropConnections: async () => this.dropConnections(),
      failNext: async (count) => this.cutNext(count),
      loseAnswers: async (count) => this.dropAfterAnswer(count),
      slow: async (ms) => this.delay(ms),
      restore: async () => this.restore(),
    };
  }

  /** Resets all connections and stops listening. Safe to repeat. */
  async close(): Promise<void> {
    this.dropConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #pass(client: Socket): void {
    // Clients expect a reset; it must not fail the test run.
    client.on('error', () => undefined);
    if (this.#toRefuse > 0) {
      this.#toRefuse--;
      client.resetAndDestroy();
      return;
    }
    const { host, port } = this.#target;
    const backend = connect({ host, port, noDelay: true, allowHalfOpen: true });
    client.setNoDelay(true);
    const connection: ProxiedConnection = {
      client,
      backend,
      cut: new AbortController(),
      awaitsAnswer: false,
      dropsAnswer: false,
      hasBegunAnswer: false,
    };
    this.#open.add(connection);
    const requests = pipeline(client, (bytes: AsyncIterable<Uint8Array>) => this.#requests(connection, bytes), backend);
    const answers = pipeline(backend, (bytes: AsyncIterable<Uint8Array>) => this.#answers(connection, bytes), client);
    // If one side fails, the other is reset too.
    requests.catch(() => this.#cut(connection));
    answers.catch(() => this.#cut(connection));
    void Promise.allSettled([requests, answers]).then(() => this.#open.delete(connection));
  }

  async *#requests(connection: ProxiedConnection, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      connection.hasBegunAnswer = false;
      if (!connection.awaitsAnswer && (this.#target.isRequest?.(chunk) ?? true)) {
        connection.awaitsAnswer = true;
        if (this.#toFail > 0) {
          this.#toFail--;
          this.#cut(connection);
          return;
        }
        if (this.#toLose > 0) {
          this.#toLose--;
          connection.dropsAnswer = true;
        }
      }
      yield chunk;
    }
  }

  async *#answers(connection: ProxiedConnection, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      connection.awaitsAnswer = false;
      if (connection.dropsAnswer) {
        this.#cut(connection);
        return;
      }
      const begins = !connection.hasBegunAnswer;
      connection.hasBegunAnswer = true;
      if (begins && this.#delayMs > 0) await sleep(this.#delayMs, undefined, { signal: connection.cut.signal });
      yield chunk;
    }
  }

  #cut({ client, backend, cut }: ProxiedConnection): void {
    cut.abort();
    client.resetAndDestroy();
    backend.destroy();
  }
}

/**
 * Opens a proxy on a free port of 127.0.0.1 in front of the backend.
 *
 *     const proxy = await openFaultProxy({ host: '127.0.0.1', port: 27017 });
 *     const subject = await openMine(`mongodb://${proxy.host}:${proxy.port}`);
 *     return { subject, faults: proxy.faults(), close: async () => { await subject.close(); await proxy.close(); } };
 */
export const openFaultProxy = async (target: FaultProxyTarget): Promise<FaultProxy> => {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new FaultProxy(server, target);
};
