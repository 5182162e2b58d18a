import { AppError } from '@palimpsest/core';
import { MemoryStore } from '@palimpsest/memory';
import type { Faults, Open } from '../../src/index.ts';

/** The error of a driver whose connection is cut. */
export class ConnectionReset extends Error {
  readonly code = 'ECONNRESET';
}

/** A connection inside this process that fails on demand. Calls over it throw {@link ConnectionReset}. */
export class FakeConnection {
  #cut = new AbortController(); // aborted when the calls that run now are cut
  #isStale = false; // the connection was cut while no call ran, so the next call fails
  #failures = 0;
  #lostAnswers = 0;
  #delayMs = 0;
  running = 0;

  readonly faults: Faults = {
    dropConnections: async () => {
      this.#isStale = this.running === 0;
      this.#cut.abort(new ConnectionReset('read ECONNRESET'));
      this.#cut = new AbortController();
    },
    failNext: async (count) => void (this.#failures = count),
    loseAnswers: async (count) => void (this.#lostAnswers = count),
    slow: async (ms) => void (this.#delayMs = ms),
    restore: async () => void (this.#failures = this.#lostAnswers = this.#delayMs = 0),
  };

  /** Aborted when the calls that run now are cut. */
  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  async send<R>(request: () => Promise<R>): Promise<R> {
    const { signal } = this;
    const isRefused = this.#failures > 0;
    if (isRefused && !this.#isStale) this.#failures--;
    if (isRefused || this.#isStale) {
      this.#isStale = false;
      throw new ConnectionReset('connect ECONNREFUSED');
    }
    const isLost = this.#lostAnswers > 0;
    if (isLost) this.#lostAnswers--;
    this.running++;
    try {
      const answer = await request();
      if (this.#delayMs > 0) await this.#wait(signal);
      signal.throwIfAborted();
      if (isLost) throw new ConnectionReset('read ECONNRESET');
      return answer;
    } finally {
      this.running--;
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => resolve(), this.#delayMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
    return promise;
  }
}

/** Sends one request and handles the errors of the connection. */
export type Send = <R>(request: () => Promise<R>) => Promise<R>;

/** How an adapter uses its connection. Called once for each handle. */
export type Driver = (connection: FakeConnection) => Send;

/** Reports a failed connection as `SERVICE_UNAVAILABLE`, as the ports promise. */
export const workingDriver: Driver =
  (connection) =>
  async <R>(request: () => Promise<R>): Promise<R> => {
    try {
      return await connection.send(request);
    } catch (error) {
      if (!(error instanceof ConnectionReset)) throw error;
      throw new AppError('SERVICE_UNAVAILABLE', 'The store cannot be reached now.', { cause: error });
    }
  };

/** `adapter` with each method called over the connection. */
export const calledOver = <T extends object>(adapter: T, send: Send): T =>
  new Proxy(adapter, {
    get: (target, key) => {
      const own: unknown = Reflect.get(target, key);
      if (typeof own !== 'function') return own;
      return (...given: readonly unknown[]) => send(async () => Reflect.apply(own, target, given));
    },
  });

/** Opens a memory adapter whose methods are called over a connection that fails on demand. */
export const openOver =
  <T extends object>(
    openHandle: (store: MemoryStore) => T,
    driver: Driver,
    call: (adapter: T, send: Send, connection: FakeConnection) => T = calledOver,
  ): Open<T> =>
  async () => {
    const connection = new FakeConnection();
    const store = new MemoryStore();
    const handle = async (): Promise<T> => call(openHandle(store), driver(connection), connection);
    return {
      subject: await handle(),
      openSecond: handle,
      reopen: handle,
      faults: connection.faults,
      close: async () => {},
    };
  };
