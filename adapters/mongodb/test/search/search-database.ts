import type { Faults } from '@palimpsest/contract-tests';
import { connectDatabase, type Database } from '@palimpsest/mongodb';
import { MongoSearchIndex, searchIndexes, type SearchIndexOptions } from '../../src/search/mongo-search-index.ts';
import type { MongoServer } from '../../../../test/services/mongodb.ts';
import { databaseOn } from '../database-on-server.ts';

/** A new database with the indexes of a search index. */
export interface SearchDatabase {
  readonly url: string;
  readonly database: Database; // not through the proxy
  readonly index: MongoSearchIndex; // on `database`
  readonly faults: Faults; // of the handles from `open`
  /** Opens a handle on its own connections, through a proxy. */
  readonly open: (options?: SearchIndexOptions) => Promise<MongoSearchIndex>;
  /** Closes all handles from `open`. */
  readonly closeAll: () => Promise<void>;
  /** Removes all data. Faster than a new database. */
  readonly clear: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

const openSearchDatabase = async (server: MongoServer): Promise<SearchDatabase> => {
  const own = await databaseOn(server);
  const { url, proxy, faults } = own;
  const proxied = `${url.replace(/\/\/([^@/]*@)?[^/]+/, `//$1${proxy.host}:${proxy.port}`)}&minHeartbeatFrequencyMS=20`;
  const database = await connectDatabase(url);
  await database.ensureIndexes(searchIndexes);
  const opened: Database[] = [];
  const closeAll = async (): Promise<void> => {
    proxy.restore();
    await Promise.all(opened.splice(0).map((each) => each.close()));
  };
  return {
    url,
    database,
    index: new MongoSearchIndex(database),
    faults,
    open: async (options) => {
      const another = await connectDatabase(proxied, { serverSelectionMs: 2_000 });
      opened.push(another);
      return new MongoSearchIndex(another, options);
    },
    closeAll,
    clear: async () => {
      for (const name of Object.keys(searchIndexes)) await database.collection(name).deleteMany({});
    },
    drop: async () => {
      await closeAll();
      await database.close();
      await own.drop();
    },
  };
};

/**
 * A database for the calling suite: created before it, emptied before each test unless `keepsData`, dropped after it.
 */
export const searchDatabaseForSuite = (server: MongoServer, { keepsData = false } = {}): (() => SearchDatabase) => {
  let opened: SearchDatabase | undefined;
  before('create a database', async () => {
    opened = await openSearchDatabase(server);
  });
  if (!keepsData) beforeEach('empty the database', () => opened?.clear());
  after('drop the database', () => opened?.drop());
  return () => {
    if (opened === undefined) throw new TypeError('No database is open outside a test');
    return opened;
  };
};
