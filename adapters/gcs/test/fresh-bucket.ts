import { randomUUID } from 'node:crypto';
import { Storage } from '@google-cloud/storage';

/** The name of a bucket that is created before the tests of this suite and deleted with its objects after them. */
export const freshBucket = (apiEndpoint: string): string => {
  const bucket = `palimpsest-test-${randomUUID()}`;
  const storage = new Storage({ apiEndpoint, projectId: 'test' });
  before('create a bucket', () => storage.createBucket(bucket));
  after('delete the bucket', async () => {
    await storage.bucket(bucket).deleteFiles({ force: true });
    await storage.bucket(bucket).delete();
  });
  return bucket;
};
