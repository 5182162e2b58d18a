import { randomUUID } from 'node:crypto';
import { Storage } from '@google-cloud/storage';

/** The name of a bucket that is made before the tests of this suite, and removed with all that is in it after them. */
export const freshBucket = (apiEndpoint: string): string => {
  const bucket = `palimpsest-test-${randomUUID()}`;
  const storage = new Storage({ apiEndpoint, projectId: 'test' });
  before('make a bucket', () => storage.createBucket(bucket));
  after('remove the bucket', async () => {
    await storage.bucket(bucket).deleteFiles({ force: true });
    await storage.bucket(bucket).delete();
  });
  return bucket;
};
