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
import { isWorthAnotherTry, translated } from './errors.ts';
import { makeIndexes, type Indexes } from './indexes.ts';

export type { Indexes };

const SERVER_SELECTION_MS = 5_000;
// A heartbeat that gets no answer is followed by one more before the lock that it keeps has run out.
const SOCKET_MS = 15_000;
const CONNECT_MS = 5_000;
const HEARTBEAT_MS = 3_000; // a server that says nothing is noticed this long after, and as long as connecting may take
const DEFAULT_DATABASE = 'palimpsest';
// Of a write whose answer is lost. The driver repeats some by itself, but nothing on a server that stands alone.
const TRIES = 3;

/** For a look at what is stored before it is changed: the newest state, even if the majority has not got it yet. */
export const LATEST = { readConcern: { level: 'local' } } as const;

/** How the database is reached. */
export interface DatabaseOptions {
  /** How long a server is looked for before an operation is refused; 5 s if nothing is said. */
  readonly serverSelectionMs?: number;
  /** How long a server that was asked may say nothing; 15 s if nothing is said. */
  readonly socketMs?: number;
}

/** One database on a MongoDB server or a set of them. What it throws for a server out of reach is `SERVICE_UNAVAILABLE`. */
export class Database {
  readonly #client: MongoClient;
  readonly #connectOnceMore: () => MongoClient;
  readonly db: Db;

  constructor(client: MongoClient, db: Db, connectOnceMore: () => MongoClient) {
    this.#client = client;
    this.#connectOnceMore = connectOnceMore;
    this.db = db;
  }

  collection<T extends BsonDocument>(name: string): Collection<T> {
    return this.db.collection<T>(name);
  }

  /** Does `work` on the database, with its errors translated. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw translated(error);
    }
  }

  /**
   * Does a write, and does it once more when the connection breaks before the answer has come, or the majority does not
   * confirm it in time. Then `again` is true: an earlier try may have been carried out, and `work` is to tell from what is
   * stored whether it was.
   */
  async write<T>(work: (again: boolean) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const result = await work(tries > 1);
        if (tries > 1) await this.#confirm();
        return result;
      } catch (error) {
        if (tries === TRIES || !isWorthAnotherTry(error)) throw translated(error);
      }
    }
  }

  /** Waits until the majority has, on disk, what this server has: what was found to be done by an earlier try, too. */
  async #confirm(): Promise<void> {
    // A write that finds nothing to change waits for all before it.
    await this.db.collection<{ _id: string }>('confirmations').updateOne({ _id: '' }, { $set: { wanted: true } });
  }

  /**
   * Makes the indexes that are not there, and resolves when all are, however long that takes. One that is there with
   * other keys or options is an `Error` that names it. Any number of processes may do so at once.
   */
  async ensureIndexes(indexes: Indexes): Promise<void> {
    const patient = this.#connectOnceMore();
    try {
      await this.run(() => makeIndexes(patient.db(this.db.databaseName), indexes));
    } finally {
      await patient.close();
    }
  }

  /** Resolves if the server answers; otherwise throws. */
  async check(): Promise<void> {
    await this.run(() => this.db.command({ ping: 1 }));
  }

  /** Closes the connections. What is asked afterwards is refused with `SERVICE_UNAVAILABLE`. Safe to repeat. */
  close(): Promise<void> {
    return this.#client.close();
  }
}

/** What is thrown where it cannot be found out any more whether a write was carried out. */
export const unknownOutcome = (): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'The connection to the database broke, and it is not known whether the change was made.',
  );

const namesDatabase = (url: string): boolean => /^mongodb(\+srv)?:\/\/[^/?]+\/[^?]/.test(url);

/** The driver takes a server that is too old for it for one that it cannot find. */
const isTooOld = (error: unknown): boolean => error instanceof Error && error.cause instanceof MongoCompatibilityError;

/**
 * Connects to the database that `url` (`mongodb://…` or `mongodb+srv://…`) names, `palimpsest` if it names none. Writes
 * are acknowledged by the majority, on disk, before they resolve, and reads see only such writes. Throws
 * `SERVICE_UNAVAILABLE` if no server is found, and an `Error` if it is older than MongoDB 4.4.
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
  // Of the database, not of the client, as what `url` says of them is stronger there.
  const promises: DbOptions = {
    // The server gives up waiting for the majority before its silence is taken for a broken connection.
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: Math.ceil(socketMs / 2) },
    readConcern: new ReadConcern('majority'),
    readPreference: 'primary',
  };
  const client = new MongoClient(url, options);
  const db = client.db(namesDatabase(url) ? undefined : DEFAULT_DATABASE, promises);
  const connectOnceMore = () =>
    new MongoClient(url, { ...options, writeConcern: { w: 'majority' }, socketTimeoutMS: 0, maxPoolSize: 1 });
  const database = new Database(client, db, connectOnceMore);
  try {
    await client.connect();
  } catch (error) {
    await client.close();
    if (isTooOld(error))
      throw new Error('The MongoDB server is too old: version 4.4 or a newer one is needed.', { cause: error });
    throw translated(error);
  }
  return database;
};
