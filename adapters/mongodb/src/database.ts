import { MongoClient, type Collection, type Db, type Document as BsonDocument, type IndexDescription } from 'mongodb';
import { translated } from './errors.ts';

const SERVER_SELECTION_MS = 5_000;
const SOCKET_MS = 30_000;
const CONNECT_MS = 5_000;
const DEFAULT_DATABASE = 'palimpsest';

/** How the database is reached. */
export interface DatabaseOptions {
  /** How long a server is looked for before an operation is refused; 5 s if nothing is said. */
  readonly serverSelectionMs?: number;
  /** How long a server that was asked may say nothing; 30 s if nothing is said. */
  readonly socketMs?: number;
}

/** Indexes by the collection that they belong to. Each has a name of its own. */
export type Indexes = Readonly<Record<string, readonly (IndexDescription & { readonly name: string })[]>>;

/** One database on a MongoDB server or a set of them. What it throws for a server out of reach is `SERVICE_UNAVAILABLE`. */
export class Database {
  readonly #client: MongoClient;
  readonly db: Db;

  constructor(client: MongoClient, db: Db) {
    this.#client = client;
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

  /** Makes the indexes that are not there, and resolves when all are. One that is there with other rules is an error. */
  async ensureIndexes(indexes: Indexes): Promise<void> {
    for (const [name, wanted] of Object.entries(indexes)) {
      await this.run(() => this.db.collection(name).createIndexes([...wanted]));
    }
  }

  /** Resolves if the server answers; otherwise throws. */
  async check(): Promise<void> {
    await this.run(() => this.db.command({ ping: 1 }));
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/**
 * Connects to the database that `url` (`mongodb://…` or `mongodb+srv://…`) names, `palimpsest` if it names none. Writes
 * are acknowledged by the majority, on disk, before they resolve, and reads see only such writes.
 */
export const connectDatabase = async (
  url: string,
  { serverSelectionMs = SERVER_SELECTION_MS, socketMs = SOCKET_MS }: DatabaseOptions = {},
): Promise<Database> => {
  const client = new MongoClient(url, {
    appName: 'palimpsest',
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: socketMs },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    serverSelectionTimeoutMS: serverSelectionMs,
    connectTimeoutMS: CONNECT_MS,
    socketTimeoutMS: socketMs,
    waitQueueTimeoutMS: socketMs,
    ignoreUndefined: true,
  });
  const database = new Database(client, client.db(client.options.dbName === 'test' ? DEFAULT_DATABASE : client.options.dbName));
  try {
    await database.run(() => client.connect());
  } catch (error) {
    await client.close();
    throw error;
  }
  return database;
};
