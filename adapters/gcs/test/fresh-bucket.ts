import { randomUUID } from 'node:crypto';
import { Storage } from '@google-cloud/storage';

/** Creates a bucket before the tests of this suite, deletes it with its objects after them, and returns its name. */
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
