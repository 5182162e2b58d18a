import { randomUUID } from 'node:crypto';
import { findGcsServers } from '../../../test/services/gcs.ts';
import { findMongoServers, freshMongoDatabase } from '../../../test/services/mongodb.ts';

/** The database and the blob store of a test service. */
export interface TestBackends {
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => Promise<void>;
}

const EMBEDDED: TestBackends = { env: {}, remove: async () => {} };

const firstOf = <T>(name: string, found: readonly T[] | string): T => {
  const first = typeof found === 'string' ? undefined : found[0];
  if (first === undefined) throw new Error(`TEST_SERVICE_BACKENDS requires ${name}, but ${String(found)}`);
  return first;
};

/** A new database on the first available MongoDB server. */
export const onMongodb = async (): Promise<TestBackends> => {
  const { url, drop } = freshMongoDatabase(firstOf('mongodb', await findMongoServers()));
  return { env: { DATABASE_URL: url, JWT_SECRET: 'a secret of the tests, of at least 32 bytes' }, remove: drop };
};

/** A new bucket on the first available Google Cloud Storage server. It is not removed. */
export const onGcs = async (): Promise<TestBackends> => {
  const { apiEndpoint } = firstOf('gcs', await findGcsServers());
  const name = `palimpsest-test-${randomUUID().slice(0, 13)}`;
  const response = await fetch(`${apiEndpoint}/storage/v1/b?project=test`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  if (!response.ok) throw new Error(`bucket: ${response.status} ${await response.text()}`);
  return { env: { BLOB_STORE_URL: `gs://${name}/files`, STORAGE_EMULATOR_HOST: apiEndpoint }, remove: async () => {} };
};

/**
 * The backends of all tests of this run: the embedded ones, or those in `TEST_SERVICE_BACKENDS` (`mongodb`, `gcs` or
 * `mongodb,gcs`).
 */
export const backendsOfRun = async (): Promise<TestBackends> => {
  const wanted = (process.env['TEST_SERVICE_BACKENDS'] ?? '').split(',').filter((name) => name !== '');
  const all = await Promise.all(
    wanted.map((name) => {
      if (name === 'mongodb') return onMongodb();
      if (name === 'gcs') return onGcs();
      throw new Error(`TEST_SERVICE_BACKENDS may contain mongodb and gcs, but not ${name}`);
    }),
  );
  return all.reduce(
    (sum, { env, remove }) => ({
      env: { ...sum.env, ...env },
      remove: async () => {
        await sum.remove();
        await remove();
      },
    }),
    EMBEDDED,
  );
};
