import { openFaultProxy, type FaultProxy, type Faults } from '@palimpsest/contract-tests';
import { connectDatabase, openMongo, type Database, type Mongo, type MongoOptions } from '@palimpsest/mongodb';
import { freshMongoDatabase, type MongoServer } from '../../../test/services/mongodb.ts';

const OP_MSG = 2013;
const COMMAND_OFFSET = 26; // behind the header (16), the flags (4), the section's kind (1), the document's length (4) and its first type (1)

/** Whether the bytes are a command of the adapter, not the driver's own look at whether the server is there. */
const isCommand = (bytes: Uint8Array): boolean => {
  const message = Buffer.from(bytes);
  if (message.length < COMMAND_OFFSET || message.readInt32LE(12) !== OP_MSG) return false;
  return !/^(hello|ismaster|isMaster|endSessions)\0/.test(
    message.toString('latin1', COMMAND_OFFSET, COMMAND_OFFSET + 16),
  );
};

/** A database of its own on a server, which any number of handles may be opened on, and a proxy before it that fails. */
export interface TestDatabase {
  readonly url: string;
  readonly proxiedUrl: string;
  readonly proxy: FaultProxy;
  readonly faults: Faults;
  /** Ends all faults, lets the next `passed` commands pass, and loses the one after them on its way, or the answer to it. */
  readonly loseAfter: (passed: number, what: 'command' | 'answer') => void;
  /** Whether that has happened. */
  readonly hasLost: () => boolean;
  /** One more handle, closed by {@link closeAll}. Its connections lead through the proxy. */
  readonly open: (options?: Partial<MongoOptions>) => Promise<Mongo>;
  /** One more connection without ports, not through the proxy, closed likewise. */
  readonly connect: () => Promise<Database>;
  /** Closes all handles and ends all faults; the data stay. */
  readonly closeAll: () => Promise<void>;
  /** Removes all data; collections and indexes stay. */
  readonly clear: () => Promise<void>;
  /** Closes all handles and removes the database. */
  readonly drop: () => Promise<void>;
}

export const databaseOn = async (server: MongoServer): Promise<TestDatabase> => {
  const { url, drop } = freshMongoDatabase(server);
  const found = /^(mongodb:\/\/(?:[^@/]*@)?)([^:,/]+):(\d+)(\/[^?]*)\??(.*)$/.exec(url);
  if (found === null) throw new Error('The tests of MongoDB need a URL of one server, mongodb://HOST:PORT/…');
  const [, scheme = '', host = '', port = '', path = '', given = ''] = found;
  let toPass = 0;
  let seen = 0;
  const proxy = await openFaultProxy({
    host,
    port: Number(port),
    isRequest: (bytes) => isCommand(bytes) && ++seen > toPass,
  });
  // A server that was lost is looked for again at once, not after half a second.
  const options = [given, 'directConnection=true', 'minHeartbeatFrequencyMS=20']
    .filter((option) => option !== '')
    .join('&');
  const proxied = `${scheme}${proxy.host}:${proxy.port}${path}?${options.replace(/directConnection=true&(?=.*directConnection)/, '')}`;
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
    proxiedUrl: proxied,
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
      const handle = await openMongo({ url: proxied, serverSelectionMs: 2_000, ...more });
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

/** {@link databaseOn} for the suite that this is called in: made before it, emptied after each test, dropped in the end. */
export const databaseForSuite = (server: MongoServer): (() => TestDatabase) => {
  let database: TestDatabase | undefined;
  before('make a database', async () => {
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
