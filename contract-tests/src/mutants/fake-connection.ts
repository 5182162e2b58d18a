import { AppError, type BlobStore } from '@palimpsest/core';
import { collected } from '../kit/collected.ts';
import type { Faults } from '../kit/faults.ts';
import type { Open } from '../kit/harness.ts';

/** A connection within this process that fails as it is told, as a driver would see it. */
export class FakeConnection {
  #cut = new AbortController(); // aborted when what is open now is cut
  #isStale = false; // it was cut while idle, and nobody has noticed
  #underWay = 0;
  #toFail = 0;
  #toLose = 0;
  #delayMs = 0;

  readonly faults: Faults = {
    dropConnections: async () => {
      this.#isStale = this.#underWay === 0;
      this.#cut.abort(connectionReset());
      this.#cut = new AbortController();
    },
    failNext: async (count) => void (this.#toFail = count),
    loseAnswers: async (count) => void (this.#toLose = count),
    slow: async (ms) => void (this.#delayMs = ms),
    restore: async () => void (this.#toFail = this.#toLose = this.#delayMs = 0),
  };

  /** How many calls wait for their answers. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Aborted when what is under way now is cut. */
  get whole(): AbortSignal {
    return this.#cut.signal;
  }

  /** Has the backend carry out `action` and gives its answer; throws a {@link connectionReset} where a fault is in force. */
  async send<R>(action: () => Promise<R>): Promise<R> {
    const { signal } = this.#cut;
    if (this.#isStale || this.#toFail > 0) {
      if (!this.#isStale) this.#toFail--;
      this.#isStale = false;
      throw connectionReset();
    }
    const isLost = this.#toLose > 0;
    if (isLost) this.#toLose--;
    this.#underWay++;
    try {
      const answer = await action();
      if (this.#delayMs > 0) await this.#delay(signal);
      signal.throwIfAborted();
      if (isLost) throw connectionReset();
      return answer;
    } finally {
      this.#underWay--;
    }
  }

  #delay(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#delayMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
    return promise;
  }
}

class ConnectionReset extends Error {
  readonly code = 'ECONNRESET';
}

/** What a driver throws whose connection was cut. */
export const connectionReset = (): Error => new ConnectionReset('read ECONNRESET');

/** Whether that is what was thrown. */
export const isConnectionReset = (error: unknown): boolean => error instanceof ConnectionReset;

/** How an adapter sends its requests, and what it makes of the errors. One for each handle. */
export type Conduct = (connection: FakeConnection) => <R>(request: () => Promise<R>) => Promise<R>;

/** As it should be: a broken connection is `SERVICE_UNAVAILABLE`, and anything else goes through. */
export const soundConduct: Conduct =
  (connection) =>
  async <R>(request: () => Promise<R>): Promise<R> => {
    try {
      return await connection.send(request);
    } catch (error) {
      if (!isConnectionReset(error)) throw error;
      throw new AppError('SERVICE_UNAVAILABLE', 'The store cannot be reached now.', { cause: error });
    }
  };

type Send = ReturnType<Conduct>;

/** `sound` with every method called over the connection. */
export const called = <P extends object>(sound: P, send: Send): P =>
  new Proxy(sound, {
    get: (target, key) => {
      const own: unknown = Reflect.get(target, key);
      if (typeof own !== 'function') return own;
      return (...given: readonly unknown[]) => send(async () => Reflect.apply(own, target, given));
    },
  });

/** What an adapter does with bytes whose connection is cut while they pass. */
export interface BlobConduct {
  /** With what came of a blob that was being stored. */
  readonly halfStored: (sound: BlobStore, key: string, pieces: readonly Uint8Array[]) => Promise<void>;
  /** At the place in a blob where reading stops. */
  readonly halfRead: () => void;
}

const soundBlobConduct: BlobConduct = {
  halfStored: async () => {},
  halfRead: () => {
    throw new AppError('SERVICE_UNAVAILABLE', 'The store cannot be reached now.');
  },
};

const READ_BYTES = 65_536;

/** A blob store called over the connection, with its bytes. */
export const calledBlobStore =
  (conduct: BlobConduct = soundBlobConduct) =>
  (sound: BlobStore, send: Send, connection: FakeConnection): BlobStore => ({
    put: async (key, source) => {
      const pieces: Uint8Array[] = [];
      const { whole } = connection;
      async function* sent(): AsyncGenerator<Uint8Array> {
        for await (const piece of source) {
          whole.throwIfAborted();
          pieces.push(piece.slice());
          yield piece;
        }
      }
      return await send(async () => {
        try {
          return await sound.put(key, sent());
        } catch (error) {
          if (isConnectionReset(error)) await conduct.halfStored(sound, key, pieces);
          throw error;
        }
      });
    },
    get: async (key, range) => {
      const chunks = await send(() => sound.get(key, range));
      if (chunks === undefined) return undefined;
      const { whole } = connection;
      async function* received(): AsyncGenerator<Uint8Array> {
        for await (const chunk of chunks ?? []) {
          for (let start = 0; start < chunk.length; start += READ_BYTES) {
            if (whole.aborted) {
              conduct.halfRead();
              return;
            }
            yield chunk.subarray(start, start + READ_BYTES);
          }
        }
      }
      return received();
    },
    stat: (key) => send(() => sound.stat(key)),
    delete: (key) => send(() => sound.delete(key)),
    list: async function* list() {
      yield* await send(() => collected(sound.list(), (info) => info));
    },
    check: () => send(() => sound.check()),
  });

/**
 * An adapter whose store is reached over a {@link FakeConnection}, made of one that has none, so that the tests of faults
 * can be tried without a server. `callOver` says which part of the subject is called over it; all of it, if left out.
 */
export const overConnection =
  <T extends object>(
    open: Open<T>,
    conduct: Conduct = soundConduct,
    callOver: (sound: T, send: Send, connection: FakeConnection) => T = called,
  ): Open<T> =>
  async () => {
    const connection = new FakeConnection();
    const opened = await open();
    const { openSecond, reopen } = opened;
    const over = (sound: T): T => callOver(sound, conduct(connection), connection);
    return {
      subject: over(opened.subject),
      ...(openSecond === undefined ? {} : { openSecond: async () => over(await openSecond()) }),
      ...(reopen === undefined ? {} : { reopen: async () => over(await reopen()) }),
      faults: connection.faults,
      close: () => opened.close(),
    };
  };
