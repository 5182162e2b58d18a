import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** A MongoDB server that tests may use. */
export interface MongoServer {
  readonly name: string; // of the backend, for titles: 'mongo:8 standalone'
  readonly url: string;
}

/** The servers that tests run against, each once; or why there is none. */
export const findMongoServers = (): Promise<readonly MongoServer[] | string> => {
  const url = process.env['TEST_MONGODB_URL'];
  if (url !== undefined && url !== '') return Promise.resolve([{ name: 'TEST_MONGODB_URL', url }]);
  return Promise.resolve('TEST_MONGODB_URL is not set');
};

/** The URL of a database of its own on the server, and how it is dropped. */
export const freshMongoDatabase = ({ url }: MongoServer): { readonly url: string; readonly drop: () => Promise<void> } => {
  const own = new URL(url);
  own.pathname = `/palimpsest-test-${randomUUID().slice(0, 18)}`;
  return {
    url: own.href,
    drop: async () => {
      const client = new MongoClient(own.href, { serverSelectionTimeoutMS: 5_000 });
      try {
        await client.db().dropDatabase();
      } finally {
        await client.close();
      }
    },
  };
};

/** A suite for each MongoDB server, titled `on NAME`; where there is none, one skipped test says why. */
export const describeOnMongo = async (title: string, tests: (server: MongoServer) => void): Promise<void> => {
  const servers = await findMongoServers();
  describe(title, () => {
    if (typeof servers === 'string') {
      it.skip(`is left out: ${servers}`);
      return;
    }
    for (const server of servers) {
      describe(`on ${server.name}`, () => {
        before('reach the server', async () => {
          const client = new MongoClient(server.url, { serverSelectionTimeoutMS: 5_000 });
          await client.connect();
          await client.close();
        });
        tests(server);
      });
    }
  });
};
