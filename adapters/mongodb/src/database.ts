import { AppError } from '@palimpsest/core';
import {
  MongoClient,
  MongoCompatibilityError,
  ReadConcern,
  type Collection,
  type Db,
  type DbOptions,
  type Document as BsonDocument,
  type MongoClientOptions,
} from 'mongodb';
import { isRetryable, translated } from './errors.ts';
import { createIndexes, type Indexes } from './indexes.ts';

export type { Indexes };

const SERVER_SELECTION_MS = 5_000;
// So short that after a renewal of a lease without an answer, a second renewal is possible before the lease expires.
const SOCKET_MS = 15_000;
const CONNECT_MS = 5_000;
const HEARTBEAT_MS = 3_000; // how often the driver checks the server; a dead server is noticed within this time plus CONNECT_MS
const DEFAULT_DATABASE = 'palimpsest';
// The driver has its own retries, but not on a standalone server.
const WRITE_ATTEMPTS = 3;

/** The options of a read before a change: the newest state, even if the majority has not confirmed it yet. */
export const LATEST = { readConcern: { level: 'local' } } as const;

/** The timeouts of the connection. */
export interface DatabaseOptions {
  /** How long an operation waits until a server is found; default: 5 s. */
  readonly serverSelectionMs?: number;
  /** How long an operation waits for the answer of the server; default: 15 s. */
  readonly socketMs?: number;
}

/** A database on a MongoDB server or cluster. Its methods throw `SERVICE_UNAVAILABLE` if no server can be reached. */
export class Database {
  readonly #client: MongoClient;
  readonly #connectAgain: () => MongoClient;
  readonly db: Db;

  constructor(client: MongoClient, db: Db, connectAgain: () => MongoClient) {
    this.#client = client;
    this.#connectAgain = connectAgain;
    this.db = db;
  }

  collection<T extends BsonDocument>(name: string): Collection<T> {
    return this.db.collection<T>(name);
  }

  /** Runs `work` on the database, and translates its errors. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw translated(error);
    }
  }

  /**
   * Runs a write. If the connection breaks before the answer arrives, or the majority does not confirm the write in
   * time, it runs the write again with `isRetry`: an earlier attempt may have taken effect, and `work` checks the
   * stored data.
   */
  async write<T>(work: (isRetry: boolean) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await work(attempt > 1);
        if (attempt > 1) await this.#waitForMajority();
        return result;
      } catch (error) {
        if (attempt === WRITE_ATTEMPTS || !isRetryable(error)) throw translated(error);
      }
    }
  }

  /**
   * Waits until the majority has stored all earlier writes of this server on disk, including those of earlier attempts.
   */
  async #waitForMajority(): Promise<void> {
    // The server acknowledges a write after all earlier writes, even if the write changes nothing.
    await this.db.collection<{ _id: string }>('confirmations').updateOne({ _id: '' }, { $set: { wanted: true } });
  }

  /**
   * Creates the missing indexes, without a timeout. Throws an `Error` that names the index if an index exists with
   * other keys or options. Several processes may call this at the same time.
   */
  async ensureIndexes(indexes: Indexes): Promise<void> {
    const client = this.#connectAgain(); // without a socket timeout
    try {
      await this.run(() => createIndexes(client.db(this.db.databaseName), indexes));
    } finally {
      await client.close();
    }
  }

  /** Throws if the server does not answer. */
  async check(): Promise<void> {
    await this.run(() => this.db.command({ ping: 1 }));
  }

  /** Closes all connections. Later calls throw `SERVICE_UNAVAILABLE`. A second `close` has no effect. */
  close(): Promise<void> {
    return this.#client.close();
  }
}

/** The error for a write whose effect cannot be determined. */
export const unknownOutcome = (): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'The connection to the database broke. It is unknown whether the change was stored.',
  );

const namesDatabase = (url: string): boolean => /^mongodb(\+srv)?:\/\/[^/?]+\/[^?]/.test(url);

/** The driver reports a server of an unsupported version as a server that it cannot find. */
const isTooOld = (error: unknown): boolean => error instanceof Error && error.cause instanceof MongoCompatibilityError;

/**
 * Connects to the database in `url` (`mongodb://…` or `mongodb+srv://…`); the default database name is `palimpsest`. A
 * write resolves after the majority has stored it on disk, and a read sees only such writes. Throws
 * `SERVICE_UNAVAILABLE` if no server is found, and an `Error` if the server is older than MongoDB 4.4.
 */
export const connectDatabase = async (
  url: string,
  { serverSelectionMs = SERVER_SELECTION_MS, socketMs = SOCKET_MS }: DatabaseOptions = {},
): Promise<Database> => {
  const options: MongoClientOptions = {
    appName: 'palimpsest',
    serverSelectionTimeoutMS: serverSelectionMs,
    connectTimeoutMS: CONNECT_MS,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    socketTimeoutMS: socketMs,
    waitQueueTimeoutMS: socketMs,
    ignoreUndefined: true,
  };
  // These are options of the database, because options in `url` would override options of the client.
  const guarantees: DbOptions = {
    // Shorter than the socket timeout, so that a slow majority is not taken for a broken connection.
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: Math.ceil(socketMs / 2) },
    readConcern: new ReadConcern('majority'),
    readPreference: 'primary',
  };
  const client = new MongoClient(url, options);
  const db = client.db(namesDatabase(url) ? undefined : DEFAULT_DATABASE, guarantees);
  const connectAgain = () =>
    new MongoClient(url, { ...options, writeConcern: { w: 'majority' }, socketTimeoutMS: 0, maxPoolSize: 1 });
  const database = new Database(client, db, connectAgain);
  try {
    await client.connect();
  } catch (error) {
    await client.close();
    if (isTooOld(error))
      throw new Error('The MongoDB server is too old: version 4.4 or newer is required.', { cause: error });
    throw translated(error);
  }
  return database;
};
