import type { Db } from 'mongodb';
import { connectDatabase, type DatabaseOptions } from './database.ts';
import type { Indexes } from './indexes.ts';

/** Where the database is (`mongodb://…` or `mongodb+srv://…`), and how it is reached. */
export interface MongoOptions extends DatabaseOptions {
  readonly url: string;
}

/** All that lies in one database, over one pool of connections. */
export interface Mongo {
  /** The database, for a limiter that counts in it. */
  readonly limiterClient: Db;
  /** Closes all connections. What is asked afterwards is refused with `SERVICE_UNAVAILABLE`. Safe to repeat. */
  readonly close: () => Promise<void>;
}

const indexes: Indexes = {};

/**
 * Opens the database, and makes what it lacks of indexes; any number of processes may do so at once. Throws as
 * `connectDatabase` and `Database.ensureIndexes` do.
 */
export const openMongo = async ({ url, ...options }: MongoOptions): Promise<Mongo> => {
  const database = await connectDatabase(url, options);
  try {
    await database.ensureIndexes(indexes);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    limiterClient: database.db,
    close: () => database.close(),
  };
};
