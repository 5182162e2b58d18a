import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as after } from 'node:timers/promises';
import type { Faults } from './faults.ts';

/** Where the backend listens, and what counts as a request to it. */
export interface FaultProxyTarget {
  readonly host: string;
  readonly port: number;
  /**
   * Whether bytes that a client sent begin a request that a fault may hit: for protocols with a heartbeat of their own,
   * which is to use up no fault. What is no request passes unharmed, but for `dropConnections` and `refuseNext`. If it
   * is not given, all bytes that follow an answer, or are the first of a connection, begin a request.
   */
  readonly isRequest?: (bytes: Uint8Array) => boolean;
}

/** One client with its own connection to the backend. */
interface Passage {
  readonly client: Socket;
  readonly backend: Socket;
  readonly cut: AbortController; // aborted when the passage ends
  asking: boolean; // the client has sent a request, and nothing of its answer has come yet
  losing: boolean; // the answer to this request is not to arrive
  answering: boolean; // the backend has begun to answer what the client sent last
}

/**
 * A TCP proxy on this machine before any backend, which fails as it is told. Let the adapter connect to `host` and
 * `port` of the proxy and give {@link FaultProxy.faults} with it.
 */
export class FaultProxy {
  readonly host: string;
  readonly port: number;
  readonly #server: Server;
  readonly #target: FaultProxyTarget;
  readonly #passages = new Set<Passage>();
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

  /** How many clients are connected through the proxy now. */
  get connections(): number {
    return this.#passages.size;
  }

  /** Cuts all connections that are open now, by a reset. New ones can be made at once. */
  dropConnections(): void {
    for (const passage of this.#passages) this.#cut(passage);
  }

  /** The next `count` connections are reset as soon as they are made (`Infinity`: all until `restore`). */
  refuseNext(count: number): void {
    this.#toRefuse = count;
  }

  /** At the next `count` requests the connection is cut, and the backend hears nothing of them (`Infinity`: all until `restore`). */
  cutNext(count: number): void {
    this.#toFail = count;
  }

  /** At the next `count` requests the connection is cut when the backend answers, and the client hears nothing of it. */
  dropAfterAnswer(count = 1): void {
    this.#toLose = count;
  }

  /** Every answer of the backend begins to arrive `ms` milliseconds late. 0: in time. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Ends all faults. What was cut stays cut; what was made late before still comes late. */
  restore(): void {
    this.#toRefuse = this.#toFail = this.#toLose = this.#delayMs = 0;
  }

  /** The hooks that the suites ask for. */
  faults(): Faults {
    return {
      dropConnections: async () => this.dropConnections(),
      failNext: async (count) => this.cutNext(count),
      loseAnswers: async (count) => this.dropAfterAnswer(count),
      slow: async (ms) => this.delay(ms),
      restore: async () => this.restore(),
    };
  }

  /** Cuts all connections and listens no more. Safe to repeat. */
  async close(): Promise<void> {
    this.dropConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #pass(client: Socket): void {
    // A reset is what clients of a broken proxy see; it is no fault of the run.
    client.on('error', () => undefined);
    if (this.#toRefuse > 0) {
      this.#toRefuse--;
      client.resetAndDestroy();
      return;
    }
    const { host, port } = this.#target;
    const backend = connect({ host, port, noDelay: true, allowHalfOpen: true });
    client.setNoDelay(true);
    const passage: Passage = {
      client,
      backend,
      cut: new AbortController(),
      asking: false,
      losing: false,
      answering: false,
    };
    this.#passages.add(passage);
    const there = pipeline(client, (bytes: AsyncIterable<Uint8Array>) => this.#requests(passage, bytes), backend);
    const back = pipeline(backend, (bytes: AsyncIterable<Uint8Array>) => this.#answers(passage, bytes), client);
    // Whichever side ends or breaks, the other one ends or breaks likewise.
    there.catch(() => this.#cut(passage));
    back.catch(() => this.#cut(passage));
    void Promise.allSettled([there, back]).then(() => this.#passages.delete(passage));
  }

  async *#requests(passage: Passage, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      passage.answering = false;
      if (!passage.asking && (this.#target.isRequest?.(piece) ?? true)) {
        passage.asking = true;
        if (this.#toFail > 0) {
          this.#toFail--;
          this.#cut(passage);
          return;
        }
        if (this.#toLose > 0) {
          this.#toLose--;
          passage.losing = true;
        }
      }
      yield piece;
    }
  }

  async *#answers(passage: Passage, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      passage.asking = false;
      if (passage.losing) {
        this.#cut(passage);
        return;
      }
      const begins = !passage.answering;
      passage.answering = true;
      if (begins && this.#delayMs > 0) await after(this.#delayMs, undefined, { signal: passage.cut.signal });
      yield piece;
    }
  }

  #cut({ client, backend, cut }: Passage): void {
    cut.abort();
    client.resetAndDestroy();
    backend.destroy();
  }
}

/**
 * Opens a proxy on a free port of 127.0.0.1 before the backend named.
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
