import { openFaultProxy, type FaultProxy, type Faults } from '@palimpsest/contract-tests';
import { connectDatabase, openMongo, type Database, type Mongo, type MongoOptions } from '@palimpsest/mongodb';
import { freshMongoDatabase, type MongoServer } from '../../../test/services/mongodb.ts';

const OP_MSG = 2013;
const COMMAND_OFFSET = 26; // after header (16), flags (4), section kind (1), document length (4) and first type (1)

/** Whether the bytes are a command of the adapter, not a health check of the driver. */
const isCommand = (bytes: Uint8Array): boolean => {
  const message = Buffer.from(bytes);
  if (message.length < COMMAND_OFFSET || message.readInt32LE(12) !== OP_MSG) return false;
  return !/^(hello|ismaster|isMaster|endSessions)\0/.test(
    message.toString('latin1', COMMAND_OFFSET, COMMAND_OFFSET + 16),
  );
};

/** A new database on a server, reached through a proxy that can fail. Several handles may be open. */
export interface TestDatabase {
  readonly url: string;
  readonly proxiedUrl: string;
  readonly proxy: FaultProxy;
  readonly faults: Faults;
  /** Ends all faults, passes the next `passed` commands, and then loses one command or its answer. */
  readonly loseAfter: (passed: number, what: 'command' | 'answer') => void;
  /** Whether `loseAfter` has lost a command or an answer. */
  readonly hasLost: () => boolean;
  /** Opens a handle through the proxy. {@link closeAll} closes it. */
  readonly open: (options?: Partial<MongoOptions>) => Promise<Mongo>;
  /** Connects directly, not through the proxy. {@link closeAll} closes the connection. */
  readonly connect: () => Promise<Database>;
  /** Closes all handles and ends all faults. The data remain. */
  readonly closeAll: () => Promise<void>;
  /** Removes all data. Collections and indexes remain. */
  readonly clear: () => Promise<void>;
  /** Closes all handles and removes the database. */
  readonly drop: () => Promise<void>;
}

export const databaseOn = async (server: MongoServer): Promise<TestDatabase> => {
  const { url, drop } = freshMongoDatabase(server);
  const found = /^(mongodb:\/\/(?:[^@/]*@)?)([^:,/]+):(\d+)(\/[^?]*)\??(.*)$/.exec(url);
  if (found === null) throw new Error('The MongoDB tests need the URL of one server: mongodb://HOST:PORT/…');
  const [, scheme = '', host = '', port = '', path = '', given = ''] = found;
  let toPass = 0;
  let seen = 0;
  const proxy = await openFaultProxy({
    host,
    port: Number(port),
    isRequest: (bytes) => isCommand(bytes) && ++seen > toPass,
  });
  // The driver reconnects to a lost server at once, not after 500 ms.
  const options = [given, 'directConnection=true', 'minHeartbeatFrequencyMS=20']
    .filter((option) => option !== '')
    .join('&');
  const proxiedUrl = `${scheme}${proxy.host}:${proxy.port}${path}?${options.replace(/directConnection=true&(?=.*directConnection)/, '')}`;
  const open = new Set<{ readonly close: () => Promise<void> }>();
  const closeAll = async () => {
    proxy.restore();
    toPass = 0;
    const closing = [...open];
    open.clear();
    await Promise.all(closing.map((handle) => handle.close()));
  };
  const connect = async () => {
    const database = await connectDatabase(url);
    open.add(database);
    return database;
  };
  return {
    url,
    proxiedUrl,
    proxy,
    faults: proxy.faults(),
    loseAfter: (passed, what) => {
      proxy.restore();
      [toPass, seen] = [passed, 0];
      if (what === 'command') proxy.cutNext(1);
      else proxy.dropAfterAnswer(1);
    },
    hasLost: () => seen > toPass,
    open: async (more = {}) => {
      const handle = await openMongo({ url: proxiedUrl, serverSelectionMs: 2_000, ...more });
      open.add(handle);
      return handle;
    },
    connect,
    closeAll,
    clear: async () => {
      const { db } = await connect();
      for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
        await db.collection(name).deleteMany({});
    },
    drop: async () => {
      await closeAll();
      await proxy.close();
      await drop();
    },
  };
};

/** A {@link databaseOn} for the calling suite: created before it, emptied after each test, dropped after it. */
export const databaseForSuite = (server: MongoServer): (() => TestDatabase) => {
  let database: TestDatabase | undefined;
  before('create a database', async () => {
    database = await databaseOn(server);
  });
  afterEach('empty the database', async () => {
    await database?.closeAll();
    await database?.clear();
  });
  after('drop the database', async () => {
    await database?.drop();
  });
  return () => {
    if (database === undefined) throw new TypeError('No database is open outside a test');
    return database;
  };
};
