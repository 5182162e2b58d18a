import { randomUUID } from 'node:crypto';
import { MongoClient, MongoServerError } from 'mongodb';
import type { StartedTestContainer } from 'testcontainers';
import { onDocker, startContainer, stopContainer } from './containers.ts';
import { describeOnServers, once, oncePerServer, type Service } from './service.ts';

/** A MongoDB server that tests may use. */
export interface MongoServer {
  readonly name: string; // of the backend, for titles: 'mongo:8 standalone'
  readonly url: string;
}

const IMAGE = 'mongo:8';
const PORT = 27017;
const REPLICA_SET = 'rs0';
const READY_MS = 60_000;
const REACH_MS = 5_000;
const COMMAND_NOT_FOUND = 59;

const urlOf = (container: StartedTestContainer): string =>
  `mongodb://${container.getHost()}:${container.getMappedPort(PORT)}/?directConnection=true`;

const withClient = async <T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> => {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: REACH_MS });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};

/** Waits until `isReady` returns true. Throws after the time limit, or if the server does not know the command. */
const untilReady = async (what: string, isReady: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + READY_MS;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      if (await isReady()) return;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === COMMAND_NOT_FOUND) throw error;
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what}: not within ${READY_MS / 1000} s`, { cause: last });
};

const isWritablePrimary = async (url: string): Promise<boolean> =>
  await withClient(
    url,
    async (client) => (await client.db('admin').command({ hello: 1 }))['isWritablePrimary'] === true,
  );

const startReplicaSet = async (url: string): Promise<void> => {
  const config = { _id: REPLICA_SET, members: [{ _id: 0, host: `localhost:${PORT}` }] };
  await untilReady('a server that accepts the configuration of a replica set', async () => {
    await withClient(url, (client) => client.db('admin').command({ replSetInitiate: config }));
    return true;
  });
  await untilReady('a primary of the replica set', () => isWritablePrimary(url));
};

/** Starts a server from an image, with arguments if the image contains mongod. */
const startServer = async (
  image: string,
  mongodArguments: readonly string[],
  prepare: (url: string) => Promise<void>,
): Promise<string> => {
  const container = await startContainer(image, (given) => {
    const exposed = given.withExposedPorts(PORT);
    return mongodArguments.length === 0
      ? exposed
      : exposed.withCommand([...mongodArguments]).withTmpFs({ '/data/db': 'rw' });
  });
  try {
    await prepare(urlOf(container));
    return urlOf(container);
  } catch (error) {
    await stopContainer(container);
    throw error;
  }
};

/**
 * `TEST_MONGO_IMAGE` names another image. It is started as a standalone server without arguments, because a compatible
 * server may not accept those of mongod. With `TEST_MONGO_REPLICA_SET=1` it is also started as a replica set.
 */
const plan = (): readonly { readonly name: string; readonly start: () => Promise<string> }[] => {
  const { TEST_MONGO_IMAGE: given = '', TEST_MONGO_REPLICA_SET: wantsReplicaSet } = process.env;
  const image = given === '' ? IMAGE : given;
  const smallCache = ['--wiredTigerCacheSizeGB', '0.5'];
  const alone = {
    name: `${image} standalone`,
    start: () =>
      startServer(image, given === '' ? smallCache : [], (url) =>
        untilReady('a server that answers', () => isWritablePrimary(url)),
      ),
  };
  const set = {
    name: `${image} replica set`,
    start: () => startServer(image, [...smallCache, '--replSet', REPLICA_SET, '--bind_ip_all'], startReplicaSet),
  };
  return given === '' || wantsReplicaSet === '1' ? [alone, set] : [alone];
};

const startServers = async (): Promise<readonly MongoServer[]> => {
  const servers: MongoServer[] = [];
  for (const { name, start } of plan()) servers.push({ name, url: await start() });
  return servers;
};

/** The MongoDB servers for tests, or the reason why there is none. */
export const findMongoServers: () => Promise<readonly MongoServer[] | string> = once(async () => {
  const { TEST_MONGODB_URL: url = '' } = process.env;
  if (url !== '') return [{ name: 'TEST_MONGODB_URL', url }];
  return await onDocker('MongoDB', 'TEST_MONGODB_URL is', startServers);
});

const mongodb: Service<MongoServer> = {
  name: 'mongodb',
  planned: plan().map(({ name }) => ({ name, url: 'mongodb://mongodb.invalid/' })),
  find: findMongoServers,
  reach: oncePerServer(async ({ name, url }) => {
    try {
      await withClient(url, (client) => client.db('admin').command({ ping: 1 }));
    } catch (error) {
      throw new Error(`${name} does not answer`, { cause: error });
    }
  }),
};

/** The URL of a new database on the server, and a function that drops it. */
export const freshMongoDatabase = ({
  url,
}: MongoServer): { readonly url: string; readonly drop: () => Promise<void> } => {
  const own = url.replace(
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/,
    `$1/palimpsest-test-${randomUUID().slice(0, 18)}`,
  );
  return { url: own, drop: () => withClient(own, async (client) => void (await client.db().dropDatabase())) };
};

/** Describes one suite for each MongoDB server, titled `on NAME`. Without a server, one pending test states the reason. */
export const describeOnMongo = (title: string, tests: (server: MongoServer) => void): Promise<void> =>
  describeOnServers(mongodb, title, tests);
